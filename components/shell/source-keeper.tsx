"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { captureSource } from "@/lib/carried";

const IDLE_MS = 3000;

/**
 * Notes where the visit came from, at the first page and at each navigation (spec §4 "Source tracking"), and has the
 * page reported once the browser has nothing better to do: what reports is fetched only then.
 */
export function SourceKeeper() {
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what says that there is a new address to read
  useEffect(() => {
    captureSource();
    const address = location.pathname + location.search;
    let reported = false;
    const report = () => {
      if (reported) return;
      reported = true;
      import("@/components/tracking/report-page").then(
        ({ reportPage }) => reportPage(address),
        () => {}, // not worth a word
      );
    };
    const timer = setTimeout(report, IDLE_MS);
    addEventListener("pagehide", report);
    return () => {
      clearTimeout(timer);
      removeEventListener("pagehide", report);
      report(); // a page that was left sooner was looked at all the same
    };
  }, [pathname]);
  return null;
}
