import { defineMetrics } from "./database-metrics";

export const CLOSURE_METRICS = defineMetrics<{ seconds: number }>({
  seconds: 15,
  sql: `select coalesce(extract(epoch from shop_now() - min(created_at)), 0)::float8 as seconds from shop_closure`,
  gauges: {
    passlane_shop_closed_seconds: { help: "Time since the shop was closed; 0 while it is open." },
  },
  toSamples: ([row]) => [{ name: "passlane_shop_closed_seconds", value: row?.seconds ?? 0 }],
});
