"use client";

import { usePlan } from "@/components/catalog/product/plan-choice";
import type { CompareLabels } from "./compare-labels";
import { CompareLink, CompareToggle } from "./compare-toggle";

/** Chooses the selected pass of the product page for the comparison, and links to it. */
export function ComparePass({ name, labels }: { name: string; labels: CompareLabels }) {
  const { chosen } = usePlan();
  return (
    <div className="flex flex-wrap items-center gap-x-4 text-13">
      <CompareToggle planId={chosen.vipId} name={`${name}, ${chosen.name}`} labels={labels} />
      <CompareLink labels={labels} />
    </div>
  );
}
