"use client";

import type { ReactNode } from "react";

/**
 * Renders `last` after the children. In the router's copy of the page, which follows the markup, it comes before them:
 * the two are within 32 kB of each other, and gzip sends the second as a reference to the first.
 */
export function Ending({ last, children }: { last: ReactNode; children: ReactNode }) {
  return (
    <>
      {children}
      {last}
    </>
  );
}
