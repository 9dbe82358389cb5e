"use client";

import { usePlan } from "@/components/catalog/product/plan-choice";
import type { ComparePassProps } from "./compare-pass";
import { CompareLink, CompareToggle } from "./compare-toggle";

/** Chooses the selected pass of the product page for the comparison, and links to it. */
export function CompareChosen({ name, labels }: ComparePassProps) {
  const { chosen } = usePlan();
  return (
    <>
      <CompareToggle planId={chosen.vipId} name={`${name}, ${chosen.name}`} labels={labels} />
      <CompareLink labels={labels} />
    </>
  );
}
