"use client";

import { type ComponentType, useEffect, useState } from "react";
import { usePlan } from "@/components/catalog/product/plan-choice";
import type { CompareLabels } from "./compare-labels";

type ComparePassProps = { name: string; labels: CompareLabels };
export type CompareChosenProps = ComparePassProps & { planId: number };

/**
 * The comparison control of the product page. Its code is loaded when it is used, or at once in a browser that has chosen
 * passes before.
 */
export function ComparePass({ name, labels }: ComparePassProps) {
  const { chosen } = usePlan();
  const [Control, setControl] = useState<ComponentType<CompareChosenProps>>();
  const load = async (choose: boolean) => {
    try {
      const { CompareChosen } = await import("./compare-chosen");
      const { toggleComparedPlan } = await import("./compared-plans");
      if (choose) toggleComparedPlan(chosen.vipId);
      setControl(() => CompareChosen);
    } catch {
      // Passes can still be compared from lists.
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    try {
      if (localStorage.getItem("compare_plans")) void load(false);
    } catch {
      // Storage may be blocked.
    }
  }, []);
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 text-13">
      {Control ? (
        <Control planId={chosen.vipId} name={`${name}, ${chosen.name}`} labels={labels} />
      ) : (
        <label className="compare-toggle">
          <input type="checkbox" onChange={() => void load(true)} />
          {labels.toggle}
          <span className="sr-only"> {name}</span>
        </label>
      )}
    </div>
  );
}
