import { defineMetrics } from "@/lib/platform/telemetry/database-metrics";

/** Rows of a state are counted to this number. */
const COUNTED = 10_000;
const HOLD_OVERDUE_MINUTES = 5;

type Row = { state: "paid" | "processing"; count: number; oldest: number };

/**
 * Paid orders without their codes. A disputed order waits for the bank. The status is written into the statement to use
 * its index.
 */
const undelivered = (status: Row["state"]) => `
  select '${status}' as state, count(*)::int as count,
    coalesce(extract(epoch from shop_now() - min(paid_at)), 0)::float8 as oldest
  from (select o.paid_at from orders o where o.status = '${status}'
    and not exists (select from disputes d where d.order_id = o.id and d.is_open) order by o.created_at limit ${COUNTED}) o`;

export const UNDELIVERED_METRICS = defineMetrics<Row>({
  seconds: 10,
  sql: `${undelivered("paid")} union all ${undelivered("processing")}`,
  gauges: {
    passlane_orders_undelivered: {
      help: "Paid orders without their codes: paid (to be assigned now) or processing (they wait for stock or a release).",
      labels: ["state"],
    },
    passlane_orders_undelivered_oldest_seconds: {
      help: "Time since the payment of the oldest such order.",
      labels: ["state"],
    },
  },
  toSamples: (rows) =>
    rows.flatMap(({ state, count, oldest }) => [
      { name: "passlane_orders_undelivered", labels: { state }, value: count },
      { name: "passlane_orders_undelivered_oldest_seconds", labels: { state }, value: oldest },
    ]),
});

export const HOLD_METRICS = defineMetrics<{ count: number }>({
  seconds: 15,
  sql: `select count(*)::int as count from (select from orders where status in ('pending', 'processingPayment')
    and hold_ends_at < shop_now() - interval '${HOLD_OVERDUE_MINUTES} minutes' limit ${COUNTED}) o`,
  gauges: {
    passlane_orders_hold_overdue: {
      help: `Unpaid orders that keep their codes more than ${HOLD_OVERDUE_MINUTES} minutes past the end of their hold.`,
    },
  },
  toSamples: ([row]) => [{ name: "passlane_orders_hold_overdue", value: row?.count ?? 0 }],
});
