"use client";

import { useState } from "react";
import type { ChosenPass } from "@/components/accounts/in-place/ask-sign-in";
import { usePendingAction } from "@/components/accounts/in-place/pending-action";
import { useSessionSummary } from "@/components/shell/session-summary";
import { useNavigate } from "@/components/ui/link";
import { useSurface } from "@/components/ui/surface";
import { showToast } from "@/components/ui/toast";
import type { PlanOutcome } from "./plan-actions";

/** The texts of a product's buttons. */
export type PlanLabels = {
  add: string;
  added: string;
  back: string;
  viewCart: string;
  network: string;
  verify: string;
  library: string;
  notify: string;
  notified: string;
};
const ACTIONS = ["buy", "cart", "claim", "notify"] as const;
export type PlanAction = (typeof ACTIONS)[number];

/**
 * A plan as its buttons need it. A `free` plan is claimed immediately
 * (docs/product.md#84-free-passes-and-purchase-limits).
 */
export type PlanToBuy = {
  productId: number;
  vipId: number;
  slug: string;
  free: boolean;
  /** the price that the page shows, in cents */
  cents: number;
  pass: ChosenPass;
};

/** Runs an action of the buttons. What happens then is in plan-actions.tsx. */
export function usePlanAction(plan: PlanToBuy, labels: PlanLabels) {
  const [state, setState] = useState<PlanOutcome & { pending?: PlanAction }>({});
  const navigate = useNavigate();
  const page = useSurface();
  const isGuest = useSessionSummary()?.signedIn === false;

  const name = (action: PlanAction) => `${action}:${plan.vipId}`;

  async function run(action: PlanAction, returned = false): Promise<void> {
    if (state.pending) return;
    setState({ pending: action });
    try {
      const { performPlanAction } = await import("./plan-actions");
      const press = { plan, labels, page, navigate, isGuest, returned, pendingName: name(action) };
      const outcome = await performPlanAction(action, press);
      if (outcome) setState(outcome); // Otherwise another page opens.
    } catch {
      showToast(labels.network, "bad");
      setState({});
    }
  }

  usePendingAction(ACTIONS.map(name), (pending) => {
    const action = ACTIONS.find((one) => name(one) === pending);
    if (action) void run(action, true);
  });
  return { state, run };
}
