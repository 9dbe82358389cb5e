"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { atFirstUse } from "@/components/ui/when-idle";
import { storeAttribution } from "@/lib/platform/routing/attribution";

const REPORT_DELAY_MS = 3000;

let reporter: typeof import("@/components/tracking/report-page") | undefined;

/** The reporting code is loaded at the first use of the page, because most pages are left by one, else with the report. */
async function withReporter(callback: (reportPage: (address: string) => void) => void): Promise<void> {
  if (reporter) return callback(reporter.reportPage);
  try {
    reporter = await import("@/components/tracking/report-page");
    callback(reporter.reportPage);
  } catch {
    // Reporting failures are ignored.
  }
}

/** Records the source of each page and reports it after three seconds (docs/product.md#46-source-tracking). */
export function AttributionTracker() {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is read again after each navigation
  useEffect(() => {
    storeAttribution();
    const address = location.pathname + location.search;
    let reported = false;
    const report = () => {
      if (!reported) void withReporter((reportPage) => reportPage(address));
      reported = true;
    };
    const cancel = atFirstUse(() => void withReporter(() => {}));
    const timer = setTimeout(report, REPORT_DELAY_MS);
    addEventListener("pagehide", report);
    return () => {
      cancel();
      clearTimeout(timer);
      removeEventListener("pagehide", report);
      report(); // A page that is left earlier is reported as well.
    };
  }, [pathname]);
  return null;
}
