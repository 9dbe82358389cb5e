import { defineMetrics } from "@/lib/platform/telemetry/database-metrics";

export const PAYOUT_METRICS = defineMetrics<{ imbalance: number; short: number; unexplained: number }>({
  seconds: 30,
  sql: `select (select coalesce(sum(cents), 0) from ledger_closings)::float8
      + (select coalesce(sum(amount_cents), 0) from ledger_entries where id > s.ledger_closed_id)::float8 as imbalance,
    greatest(0, coalesce(s.provider_needed_cents - s.provider_available_cents, 0))::float8 as short,
    (select count(*)::int from (select from payout_findings limit 1000) f) as unexplained
    from payout_settings s`,
  gauges: {
    passlane_ledger_imbalance_cents: { help: "Sum of all entries of the ledger: always 0." },
    passlane_provider_balance_short_cents: {
      help: "By how much the shop's balance at the payment provider was below what merchants are owed there, when it was read last.",
    },
    passlane_transfers_unexplained: { help: "Transfers at the payment provider that no payout explains." },
  },
  toSamples: ([row]) => [
    { name: "passlane_ledger_imbalance_cents", value: row?.imbalance ?? 0 },
    { name: "passlane_provider_balance_short_cents", value: row?.short ?? 0 },
    { name: "passlane_transfers_unexplained", value: row?.unexplained ?? 0 },
  ],
});
