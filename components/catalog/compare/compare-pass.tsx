"use client";

import { type ComponentType, useEffect, useState } from "react";
import { whenIdle } from "@/components/ui/when-idle";
import type { CompareLabels } from "./compare-labels";

export type ComparePassProps = { name: string; labels: CompareLabels };

/** The comparison control of the product page. It is loaded when the browser is idle, into a place that is kept for it. */
export function ComparePass(props: ComparePassProps) {
  const [Control, setControl] = useState<ComponentType<ComparePassProps>>();
  useEffect(
    () =>
      whenIdle(() => {
        import("./compare-chosen").then(
          (loaded) => setControl(() => loaded.CompareChosen),
          () => {}, // Passes can still be compared from lists.
        );
      }),
    [],
  );
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 text-13">
      {Control && <Control {...props} />}
    </div>
  );
}
