"use client";

import { type ReactNode, useEffect, useRef } from "react";

/** A horizontally scrolling row of links. The link to the current page is scrolled into view. */
export function ScrollRow({ className, children }: { className: string; children: ReactNode }) {
  const row = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const here = row.current?.querySelector<HTMLElement>(`a[href="${CSS.escape(location.pathname)}"]`);
    if (!row.current || !here) return;
    const { left, width } = here.getBoundingClientRect();
    const { left: edge, width: room } = row.current.getBoundingClientRect();
    row.current.scrollLeft += left - edge - (room - width) / 2;
  }, []);
  return (
    <ul ref={row} className={className}>
      {children}
    </ul>
  );
}
