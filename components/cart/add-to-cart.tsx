"use client";

import type { FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useSurface } from "@/components/ui/surface";
import { localizedPath } from "@/lib/platform/routing/paths";
import { type PlanLabels, type PlanToBuy, usePlanAction } from "./use-plan-action";

/**
 * The buttons of a product: "Buy now" goes on to the checkout of this one pass, the other adds it to the cart, and a
 * free plan is claimed. A guest signs in or registers in place first, and then the action continues. Refusals show the
 * server's message. Before the script runs it is a plain form that leads to the cart, and guests to the login. Give it
 * a `key` of the plan.
 */
export function AddToCart({
  plan,
  label,
  labels,
  brief = false,
}: {
  plan: PlanToBuy;
  /** The text of the main button. */
  label: string;
  labels: PlanLabels;
  /** For the narrow bar of phones: the cart button is an icon, and success shows only a toast. */
  brief?: boolean;
}) {
  const { state, run } = usePlanAction(plan, labels);
  const page = useSurface();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(plan.free ? "claim" : "buy");
  };
  const add = (
    <Button
      type="submit"
      large
      block={!brief}
      pending={state.pending === "cart"}
      aria-label={brief ? labels.add : undefined}
      className={brief ? "px-3.5!" : undefined}
      onClick={(event) => {
        event.preventDefault();
        void run("cart");
      }}
    >
      {brief ? <Icon name="cart" size={22} /> : labels.add}
    </Button>
  );
  const main = (
    <Button
      type="submit"
      look="primary"
      large
      block
      pending={state.pending === "buy" || state.pending === "claim"}
      className={brief ? "px-2! whitespace-nowrap" : undefined}
    >
      {label}
    </Button>
  );
  return (
    <form
      action={localizedPath(plan.free ? `/product/${plan.slug}` : "/cart", page)}
      onSubmit={submit}
      className="flex flex-col gap-2"
    >
      <input
        type="hidden"
        name={plan.free ? "plan" : "add"}
        value={plan.free ? plan.vipId : `${plan.productId}-${plan.vipId}`}
      />
      {state.problem}
      {brief && !plan.free ? (
        <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2">
          {main}
          {add}
        </div>
      ) : (
        <>
          {main}
          {!plan.free && add}
        </>
      )}
      {!brief && state.done}
    </form>
  );
}
