"use client";

import { useSessionSummary } from "@/components/shell/session-summary";

/** The number beside the cart. Its place is kept from the start, so nothing moves when it arrives. */
export function CartCount({ className }: { className?: string }) {
  const count = useSessionSummary()?.cartCount ?? 0;
  return (
    <span className={`cart-count figures ${count > 0 ? "" : "invisible"} ${className ?? ""}`}>
      {count > 99 ? "99+" : count}
    </span>
  );
}
