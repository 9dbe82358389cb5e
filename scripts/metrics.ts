import { JOURNAL_METRICS } from "@/lib/delivery/journal/queries-metrics";
import { STOCK_METRICS } from "@/lib/merchants/key-files/queries-metrics";
import { MAIL_METRICS } from "@/lib/notifications/queries-metrics";
import { HOLD_METRICS, UNDELIVERED_METRICS } from "@/lib/orders/queries-metrics";
import { REFUND_METRICS, WEBHOOK_METRICS } from "@/lib/payments/queries-metrics";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { JOB_METRICS } from "@/lib/platform/telemetry/job-metrics";
import type { ProcessGauge } from "@/lib/platform/telemetry/metrics";
import { CLOSURE_METRICS } from "@/lib/platform/telemetry/shop-metrics";

/** The shop's state, which one process reads from the database. */
export const DATABASE_METRICS = [
  UNDELIVERED_METRICS,
  WEBHOOK_METRICS,
  JOB_METRICS,
  MAIL_METRICS,
  HOLD_METRICS,
  REFUND_METRICS,
  STOCK_METRICS,
  JOURNAL_METRICS,
  CLOSURE_METRICS,
];

/** What a process knows of itself; what it does not run is left out of its scrapes. */
export type ProcessState = {
  /** Whether its pages are known to be current, and how many it keeps. */
  pages?: () => { isTrusted(): boolean; size(): { pages: number; bytes: number } } | undefined;
  isDatabaseUp?: () => boolean;
  /** Whether its worker runs; undefined without one. */
  isWorkerRunning: () => boolean | undefined;
};

const toNumber = (value: boolean | undefined) => (value === undefined ? undefined : Number(value));

export function processGauges({ pages, isDatabaseUp, isWorkerRunning }: ProcessState): ProcessGauge[] {
  return [
    {
      name: "passlane_page_cache_trusted",
      help: "1 while kept pages are known to be current; 0: pages are rendered, or sent marked as stale.",
      read: () => toNumber(pages?.()?.isTrusted()),
    },
    {
      name: "passlane_page_cache_pages",
      help: "Kept pages.",
      read: () => pages?.()?.size().pages,
    },
    {
      name: "passlane_page_cache_bytes",
      help: "Bytes of kept pages.",
      read: () => pages?.()?.size().bytes,
    },
    {
      name: "passlane_database_up",
      help: "1 while the database answers this process.",
      read: () => toNumber(isDatabaseUp?.()),
    },
    {
      name: "passlane_worker_running",
      help: "1 while this process runs jobs, 0 while its worker has failed.",
      read: () => toNumber(isWorkerRunning()),
    },
  ];
}

/** Serves the metrics of this process if METRICS_PORT is set. @throws Error when the port is in use */
export async function startProcessMetrics(state: ProcessState): Promise<void> {
  const { METRICS_PORT: port, METRICS_HOST: host } = env();
  if (port === undefined) return;
  const [{ startMetrics }, { DatabaseMetricsReader }] = await Promise.all([
    import("@/lib/platform/telemetry/metrics"),
    import("@/db/metrics"),
  ]);
  const reader = new DatabaseMetricsReader(DATABASE_METRICS);
  await startMetrics({ port, host, gauges: processGauges(state), database: DATABASE_METRICS, reader });
  log.info({ port, host }, "serving metrics");
}
