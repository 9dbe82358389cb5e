"use client";

import { useSessionSummary } from "@/components/shell/session-summary";

/** The item count beside the cart. Its space is reserved, so the layout does not shift when it loads. */
export function CartCount({ className }: { className?: string }) {
  const count = useSessionSummary()?.cartCount ?? 0;
  return (
    <span className={`cart-count figures ${count > 0 ? "" : "invisible"} ${className ?? ""}`}>
      {count > 99 ? "99+" : count}
    </span>
  );
}
