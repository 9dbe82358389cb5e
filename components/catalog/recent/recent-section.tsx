"use client";

import { type ComponentType, useEffect, useRef, useState } from "react";
import { type RecentProduct, recordProduct } from "./record-product";

export type RecentLabels = { title: string; clear: string };
/** `current` is the product of this page: it is recorded, and not shown. */
export type RecentProps = { labels: RecentLabels; current?: RecentProduct };

/** How far below the window the list begins to load. */
const MARGIN = "600px";

/** Recently viewed products, far down the page. The list is loaded when the reader comes near it. */
export function RecentSection(props: RecentProps) {
  const place = useRef<HTMLDivElement>(null);
  const [List, setList] = useState<ComponentType<RecentProps>>();
  // Recorded once per page: its properties are new objects in each render.
  const [current] = useState(props.current);
  useEffect(() => {
    if (current) recordProduct(current);
  }, [current]);
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return;
        observer.disconnect();
        import("./recent-list").then(
          (loaded) => setList(() => loaded.RecentList),
          () => {}, // The page does without.
        );
      },
      { rootMargin: MARGIN },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return <div ref={place}>{List && <List {...props} />}</div>;
}
