import { HELD_BACK_SECONDS } from "@/lib/delivery/journal/rules";
import { defineMetrics } from "@/lib/platform/telemetry/database-metrics";

/** Keys are counted to this number. */
const COUNTED = 10_000;

/** Codes that wait for the journal of assignments. */
export const JOURNAL_METRICS = defineMetrics<{ count: number; oldest: number }>({
  seconds: 15,
  sql: `
    select count(*)::int as count, coalesce(extract(epoch from shop_now() - min(created_at)), 0)::float8 as oldest
    from (select created_at from unjournaled_keys
      where created_at < shop_now() - interval '${HELD_BACK_SECONDS} seconds' limit ${COUNTED}) u`,
  gauges: {
    passlane_codes_held_back: {
      help: `Assigned codes that have waited more than ${HELD_BACK_SECONDS} seconds for the journal, and are neither mailed nor shown.`,
    },
    passlane_codes_held_back_oldest_seconds: { help: "Time since the oldest such code was assigned." },
  },
  toSamples: ([row]) => [
    { name: "passlane_codes_held_back", value: row?.count ?? 0 },
    { name: "passlane_codes_held_back_oldest_seconds", value: row?.oldest ?? 0 },
  ],
});
