"use client";

import { useEffect } from "react";
import { useSessionSummary } from "@/components/shell/session-summary";

/** Moves the wishlist of a guest to the account, on the first page that sees the session. */
export function MergeWishes() {
  const session = useSessionSummary();
  useEffect(() => {
    // The next page tries again.
    if (session?.signedIn) mergeKept().catch(() => {});
  }, [session]);
  return null;
}

/** Loads the code only if this browser has a stored wishlist. */
async function mergeKept(): Promise<void> {
  if (localStorage.getItem("wishlist")) await (await import("./wishes")).mergeWishes();
}
