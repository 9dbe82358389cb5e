"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { whenLoaded } from "@/components/ui/when-idle";
import { storeAttribution } from "@/lib/platform/routing/attribution";

const REPORT_MS = 3000;

let reporter: typeof import("@/components/tracking/report-page") | undefined;

/** What reports a page is fetched once the browser has nothing better to do; a page that is being left cannot wait. */
async function withReporter(use: (reportPage: (address: string) => void) => void): Promise<void> {
  if (reporter) return use(reporter.reportPage);
  try {
    reporter = await import("@/components/tracking/report-page");
    use(reporter.reportPage);
  } catch {
    // not worth a word
  }
}

/**
 * Notes where the visit came from, at the first page and at each navigation (docs/product.md#46-source-tracking), and has the
 * page reported after three seconds, or when it is left.
 */
export function AttributionTracker() {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what says that there is a new address to read
  useEffect(() => {
    storeAttribution();
    const address = location.pathname + location.search;
    let reported = false;
    const report = () => {
      if (!reported) void withReporter((reportPage) => reportPage(address));
      reported = true;
    };
    const cancel = whenLoaded(() => void withReporter(() => {}));
    const timer = setTimeout(report, REPORT_MS);
    addEventListener("pagehide", report);
    return () => {
      cancel();
      clearTimeout(timer);
      removeEventListener("pagehide", report);
      report(); // a page that was left sooner was looked at all the same
    };
  }, [pathname]);
  return null;
}
