"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { captureSource } from "@/lib/carried";

/** Notes where the visit came from, at the first page and at each navigation (spec §4 "Source tracking"). */
export function SourceKeeper() {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what says that there is a new address to read
  useEffect(captureSource, [pathname]);
  return null;
}
