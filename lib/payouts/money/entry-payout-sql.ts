import { type SQL, sql } from "drizzle-orm";
import type { EntryPayout } from "@/lib/payouts/money/contract";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";

/** SQL: the entries `e` of the ledger that belong to a payout: of its own transfers, and of the sales that it pays. */
export const entriesOfPayoutSql = (payoutId: string): SQL => sql`(
  select x.* from payout_attempts a cross join (values (''), (':paid'), (':back')) s(suffix)
  join ledger_entries x on x.transfer_id = 'payout:' || a.payout_id || ':' || a.attempt || s.suffix where a.payout_id = ${payoutId}
  union all
  select x.* from payouts p join payout_lines l on l.payout_id = p.id and l.attempt = p.attempt
  join ledger_entries x on x.line_id = l.line_id and x.account in ('merchant_payable', 'merchant_share') where p.id = ${payoutId}) e`;

/**
 * SQL: the payout of an entry `w`, as JSON with `cents`: the one that it is, else the one that paid its sale last, or took back what
 * was paid. Null: none that has not failed.
 */
export const entryPayoutSql = sql`(
  select json_build_object('payout_id', p.id, 'run_id', p.run_id, 'state', p.state, 'cents', p.cents, 'at', p.state_at)
  from payouts p where p.id = case when w.transfer_id like 'payout:%' then split_part(w.transfer_id, ':', 2) else (
    select l.payout_id from payout_lines l join payouts q on q.id = l.payout_id and q.attempt = l.attempt
    where l.line_id = w.line_id and q.state in ('sent', 'confirmed') order by q.created_at desc, q.id limit 1) end)`;

export type EntryPayoutRow = (Omit<EntryPayout, "amount"> & { cents: number }) | null;

export const toEntryPayout = (row: EntryPayoutRow): EntryPayout | null => {
  if (!row) return null;
  const { cents, at, ...payout } = row;
  return { ...payout, amount: toDecimal(cents), at: instant(at) };
};
