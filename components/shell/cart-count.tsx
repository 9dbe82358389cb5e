"use client";

import { useSessionSummary } from "@/components/shell/session-summary";

/** The number beside the cart. Its place is kept from the start, so nothing moves when it arrives. */
export function CartCount({ className }: { className?: string }) {
  const count = useSessionSummary()?.cartCount ?? 0;
  return (
    <span
      className={`figures inline-grid h-5 min-w-5 place-items-center rounded-full bg-ink px-1.5 text-13 leading-none font-semibold text-paper ${count > 0 ? "" : "invisible"} ${className ?? ""}`}
    >
      {count > 99 ? "99+" : count}
    </span>
  );
}
