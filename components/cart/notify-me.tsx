"use client";

import type { FormEvent } from "react";
import { type PlanLabels, type PlanToBuy, usePlanAction } from "@/components/cart/use-plan-action";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useSurface } from "@/components/ui/surface";
import { localizedPath } from "@/lib/platform/routing/paths";

/**
 * The button of a sold-out plan. It requests one email when the plan is back in stock
 * (docs/product.md#25-product-page). A guest signs in or registers in place first. Before the script runs it is a plain
 * form that leads back to this plan. Give it a `key` of the plan.
 */
export function NotifyMe({ plan, labels }: { plan: PlanToBuy; labels: PlanLabels }) {
  const { state, run } = usePlanAction(plan, labels);
  const page = useSurface();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run("notify");
  };
  return (
    <form
      action={localizedPath(`/product/${plan.slug}`, page)}
      onSubmit={submit}
      className="flex flex-col gap-2"
    >
      <input type="hidden" name="plan" value={plan.vipId} />
      {state.problem}
      {state.done ?? (
        <Button type="submit" large block pending={state.pending === "notify"}>
          <Icon name="mail" size={18} />
          {labels.notify}
        </Button>
      )}
    </form>
  );
}
