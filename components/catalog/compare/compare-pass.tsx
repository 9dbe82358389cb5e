"use client";

import { type ComponentType, useEffect, useState } from "react";
import { usePlan } from "@/components/catalog/product/plan-choice";
import type { CompareLabels } from "./compare-labels";

type ComparePassProps = { name: string; labels: CompareLabels };
export type CompareChosenProps = ComparePassProps & { planId: number };

/**
 * The comparison control of the product page. Its code is loaded when it is used, or immediately in a browser that has
 * chosen passes before.
 */
export function ComparePass({ name, labels }: ComparePassProps) {
  const { chosen } = usePlan();
  const [Control, setControl] = useState<ComponentType<CompareChosenProps>>();
  const load = (choose: boolean) => {
    import("./compare-chosen").then(
      ({ addChosen, CompareChosen }) => {
        if (choose) addChosen(chosen.vipId);
        setControl(() => CompareChosen);
      },
      () => {}, // Passes can still be compared from lists.
    );
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the passes that an earlier page chose
  useEffect(() => {
    try {
      if (localStorage.getItem("compare_plans")) load(false);
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
          <input type="checkbox" onChange={() => load(true)} />
          {labels.toggle}
          <span className="sr-only"> {name}</span>
        </label>
      )}
    </div>
  );
}
