"use client";

import { Link } from "@/components/ui/link";
import { showToast } from "@/components/ui/toast";
import { comparePath } from "@/lib/catalog/rules";
import type { CompareLabels } from "./compare-labels";
import { clearComparedPlans, toggleComparedPlan, useComparedPlans } from "./compared-plans";

/** Chooses a pass for the comparison. `name` tells screen readers which pass. */
export function CompareToggle({
  planId,
  name,
  labels,
}: {
  planId: number;
  name: string;
  labels: CompareLabels;
}) {
  const plans = useComparedPlans();
  return (
    <label className="compare-toggle">
      <input
        type="checkbox"
        checked={plans.includes(planId)}
        onChange={() => {
          if (!toggleComparedPlan(planId)) showToast(labels.full);
        }}
      />
      {labels.toggle}
      <span className="sr-only"> {name}</span>
    </label>
  );
}

/** The link to the comparison, once two passes are chosen. Renders nothing without a choice. */
export function CompareLink({ labels }: { labels: CompareLabels }) {
  const plans = useComparedPlans();
  if (plans.length === 0) return null;
  if (plans.length === 1) return <span className="text-quiet">{labels.one}</span>;
  return (
    <Link href={comparePath(plans)} className="text-link font-medium">
      {labels.open.replace("%s", String(plans.length))}
    </Link>
  );
}

/** The bar at the bottom of a list while passes are chosen: opens the comparison or clears the choice. */
export function CompareBar({ labels }: { labels: CompareLabels }) {
  const plans = useComparedPlans();
  if (plans.length === 0) return null;
  return (
    <section aria-label={labels.bar} className="compare-bar">
      <CompareLink labels={labels} />
      <button type="button" onClick={clearComparedPlans} className="text-link hit cursor-pointer text-13">
        {labels.clear}
      </button>
    </section>
  );
}
