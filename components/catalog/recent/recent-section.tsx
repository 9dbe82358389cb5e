"use client";

import { type ComponentType, useEffect, useState } from "react";
import { whenIdle } from "@/components/ui/when-idle";
import type { RecentProduct } from "./recent-products";

export type RecentLabels = { title: string; clear: string };
/** `current` is the product of this page. */
export type RecentProps = { labels: RecentLabels; current?: RecentProduct };

/** Recently viewed products, far down the page. They are loaded when the browser is idle. */
export function RecentSection(props: RecentProps) {
  const [List, setList] = useState<ComponentType<RecentProps>>();
  useEffect(
    () =>
      whenIdle(() => {
        import("./recent-list").then(
          (loaded) => setList(() => loaded.RecentList),
          () => {}, // The page does without.
        );
      }),
    [],
  );
  return List ? <List {...props} /> : null;
}
