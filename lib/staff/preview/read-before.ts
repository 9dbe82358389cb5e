import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";

/** The last rows of the append-only tables, and the writes that Postgres counts for this transaction. */
export type Before = {
  order_event: string;
  key_event: string;
  ledger_entry: string;
  audit_entry: string;
  coupons_inserted: number;
  sessions_updated: number;
};

export const WRITES = sql`
  (select n_tup_ins from pg_stat_xact_user_tables where relname = 'coupons')::int as coupons_inserted,
  (select n_tup_upd from pg_stat_xact_user_tables where relname = 'sessions')::int as sessions_updated`;

/** Read before the command runs. The transaction reads one snapshot, so that every later row is its own. */
export async function readBefore(tx: Tx): Promise<Before> {
  const [before] = await tx.execute<Before>(sql`
    select (select coalesce(max(id), 0) from order_events) as order_event,
      (select coalesce(max(id), 0) from key_events) as key_event,
      (select coalesce(max(id), 0) from ledger_entries) as ledger_entry,
      (select coalesce(max(id), 0) from audit_entries) as audit_entry, ${WRITES}`);
  return before!;
}
