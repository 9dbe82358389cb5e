"use client";

import { type ReactNode, useEffect, useRef } from "react";

/** A horizontally scrolling row of links. The link to the current page is scrolled into view. */
export function ScrollRow({ className, children }: { className: string; children: ReactNode }) {
  const row = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const currentLink = row.current?.querySelector<HTMLElement>(`a[href="${CSS.escape(location.pathname)}"]`);
    if (!row.current || !currentLink) return;
    const { left, width } = currentLink.getBoundingClientRect();
    const { left: rowLeft, width: rowWidth } = row.current.getBoundingClientRect();
    row.current.scrollLeft += left - rowLeft - (rowWidth - width) / 2;
  }, []);
  return (
    <ul ref={row} className={className}>
      {children}
    </ul>
  );
}
