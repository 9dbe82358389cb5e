"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { renewPrefetchBudget } from "@/components/ui/prefetch-budget";

/** Each page may fetch its own few ahead, also one that is come back to (docs/product.md#24-navigation). */
export function PrefetchBudgetReset() {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what says that there was a navigation
  useEffect(renewPrefetchBudget, [pathname]);
  return null;
}
