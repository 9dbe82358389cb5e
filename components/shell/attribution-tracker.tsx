"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { atFirstUse } from "@/components/ui/when-idle";
import { storeAttribution } from "@/lib/platform/routing/attribution";
import { createPageReport, loadReporter } from "./page-report";

const REPORT_DELAY_MS = 3000;

/** Records the source of each page and reports it after three seconds, or when it is left earlier (docs/product.md#46-source-tracking). */
export function AttributionTracker() {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is read again after each navigation
  useEffect(() => {
    storeAttribution();
    const address = location.pathname + location.search;
    const page = createPageReport(address);
    const report = () => void page.report();
    const cancel = atFirstUse(() => void loadReporter());
    const timer = setTimeout(report, REPORT_DELAY_MS);
    addEventListener("pagehide", page.leave);
    return () => {
      cancel();
      clearTimeout(timer);
      removeEventListener("pagehide", page.leave);
      report(); // A page that is left earlier is reported as well.
    };
  }, [pathname]);
  return null;
}
