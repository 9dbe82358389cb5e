"use client";

import type { CompareChosenProps } from "./compare-pass";
import { CompareLink, CompareToggle } from "./compare-toggle";
import { toggleComparedPlan } from "./compared-plans";

/** Chooses the selected pass of the product page for the comparison, and links to it. */
export function CompareChosen({ name, labels, planId }: CompareChosenProps) {
  return (
    <>
      <CompareToggle planId={planId} name={name} labels={labels} />
      <CompareLink labels={labels} />
    </>
  );
}

/** Adds the pass that was chosen before this file was loaded. */
export const addChosen = (planId: number) => toggleComparedPlan(planId);
