import { JOURNAL_METRICS } from "@/lib/delivery/journal/journal-metrics";
import { STOCK_METRICS } from "@/lib/merchants/key-files/stock-metrics";
import { MAIL_METRICS } from "@/lib/notifications/mail-metrics";
import { HOLD_METRICS, UNDELIVERED_METRICS } from "@/lib/orders/order-metrics";
import { REFUND_METRICS, WEBHOOK_METRICS } from "@/lib/payments/payment-metrics";
import { PAYOUT_METRICS } from "@/lib/payouts/payout-metrics";
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
  PAYOUT_METRICS,
  STOCK_METRICS,
  JOURNAL_METRICS,
  CLOSURE_METRICS,
];

/** Serves the metrics of this worker and of the database if METRICS_PORT is set. @throws Error when the port is in use */
export async function startWorkerMetrics(isRunning: () => boolean): Promise<void> {
  const { METRICS_PORT: port, METRICS_HOST: host } = env();
  if (port === undefined) return;
  const [{ startMetrics }, { DatabaseMetricsReader }] = await Promise.all([
    import("@/lib/platform/telemetry/metrics"),
    import("@/db/metrics"),
  ]);
  const database = { metrics: DATABASE_METRICS, reader: new DatabaseMetricsReader(DATABASE_METRICS) };
  await startMetrics({ port, host, gauges: [workerGauge(isRunning)], database });
  log.info({ port, host }, "serving metrics");
}

export const workerGauge = (isRunning: () => boolean): ProcessGauge => ({
  name: "passlane_worker_running",
  help: "1 while this process runs jobs, 0 while its worker has failed.",
  read: () => Number(isRunning()),
});
