import { defineMetrics } from "@/lib/platform/telemetry/database-metrics";

/** Rows of a state are counted to this number. */
const COUNTED = 10_000;

export const WEBHOOK_METRICS = defineMetrics<{ count: number; oldest: number }>({
  seconds: 10,
  sql: `select count(*)::int as count, coalesce(extract(epoch from shop_now() - min(created_at)), 0)::float8 as oldest
    from (select created_at from webhook_events where processed_at is null order by created_at limit ${COUNTED}) w`,
  gauges: {
    passlane_webhook_events_open: {
      help: "Stored webhook events of the payment provider that are not processed.",
    },
    passlane_webhook_lag_seconds: { help: "Age of the oldest such event." },
  },
  toSamples: ([row]) => [
    { name: "passlane_webhook_events_open", value: row?.count ?? 0 },
    { name: "passlane_webhook_lag_seconds", value: row?.oldest ?? 0 },
  ],
});

export const REFUND_METRICS = defineMetrics<{ failed: number; pending: number }>({
  seconds: 30,
  sql: `select
    (select count(*)::int from (select from refunds where state = 'failed' limit ${COUNTED}) f) as failed,
    coalesce((select extract(epoch from shop_now() - updated_at) from refunds where state in ('pending', 'submitted')
      order by updated_at limit 1), 0)::float8 as pending`,
  gauges: {
    passlane_refunds_failed: {
      help: "Refunds that the bank has returned for good: staff pay them by other means.",
    },
    passlane_refunds_oldest_open_seconds: {
      help: "Time since the last step of the oldest refund that is not done.",
    },
  },
  toSamples: ([row]) => [
    { name: "passlane_refunds_failed", value: row?.failed ?? 0 },
    { name: "passlane_refunds_oldest_open_seconds", value: row?.pending ?? 0 },
  ],
});
