"use client";

import { classNames } from "@/components/ui/class-names";
import type { IconName } from "./icon-names";
import drawings from "./icons.svg";

export type { IconName } from "./icon-names";

/**
 * A decorative icon. The drawings are in a separate file, which browsers cache, so that neither the page nor its
 * scripts contain them. A client component, so that the page contains its name instead of its markup a second time.
 */
export function Icon({ name, size = 20, className }: { name: IconName; size?: number; className?: string }) {
  return (
    <svg aria-hidden="true" className={classNames("icon", className)} width={size} height={size}>
      <use href={`${drawings.src}#${name}`} />
    </svg>
  );
}
