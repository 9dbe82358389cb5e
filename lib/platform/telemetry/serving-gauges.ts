import { processState } from "@/lib/platform/process-state";
import type { ProcessGauge } from "./metrics";

const toNumber = (value: boolean | undefined) => (value === undefined ? undefined : Number(value));

/** The gauges of a serving process. */
export const servingGauges = (): ProcessGauge[] => [
  {
    name: "passlane_page_cache_trusted",
    help: "1 while cached pages are known to be current; 0: pages are rendered, or sent marked as stale.",
    read: () => toNumber(processState.pages?.isTrusted()),
  },
  {
    name: "passlane_page_cache_pages",
    help: "Cached pages.",
    read: () => processState.pages?.size().pages,
  },
  {
    name: "passlane_page_cache_bytes",
    help: "Bytes of cached pages.",
    read: () => processState.pages?.size().bytes,
  },
  {
    name: "passlane_database_up",
    help: "1 while the database answers this process.",
    read: () => toNumber(processState.database && !processState.database.isFailing()),
  },
];
