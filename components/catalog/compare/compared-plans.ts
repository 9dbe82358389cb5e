import { createBrowserList } from "@/components/ui/browser-list";
import { COMPARED_MAX } from "@/lib/catalog/rules";

/** The plans that a shopper has chosen to compare, by number, in this browser. */
const chosen = createBrowserList<number>("compare_plans", {
  max: COMPARED_MAX,
  parse: (id) => (typeof id === "number" && Number.isSafeInteger(id) && id > 0 ? id : null),
});

export const useComparedPlans = chosen.useEntries;
export const clearComparedPlans = chosen.clear;

/** Adds or removes a plan. False when the list is full. */
export function toggleComparedPlan(planId: number): boolean {
  const plans = chosen.entries();
  if (plans.includes(planId)) chosen.store(plans.filter((id) => id !== planId));
  else if (plans.length >= COMPARED_MAX) return false;
  else chosen.store([...plans, planId]);
  return true;
}

export function removeComparedPlan(planId: number): void {
  chosen.store(chosen.entries().filter((id) => id !== planId));
}
