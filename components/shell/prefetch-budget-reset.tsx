"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { renewPrefetchBudget } from "@/components/ui/prefetch-budget";

/** Resets the prefetch budget on every navigation, including back and forward (docs/product.md#24-navigation). */
export function PrefetchBudgetReset() {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what says that there was a navigation
  useEffect(renewPrefetchBudget, [pathname]);
  return null;
}
