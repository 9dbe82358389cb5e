import { type SQL, sql } from "drizzle-orm";

/**
 * SQL: what each account of the ledger has of each merchant (`account`, `merchant_id`, empty without one, `cents`), in rows to add up: the
 * closed part (lib/payouts/closings/close-ledger.ts) and the entries after it.
 */
export const LEDGER_SUMS: SQL = sql`(
  select account, merchant_id, cents from ledger_closings
  union all
  select account, coalesce(merchant_id, ''), amount_cents from ledger_entries where id > (select ledger_closed_id from payout_settings))`;
