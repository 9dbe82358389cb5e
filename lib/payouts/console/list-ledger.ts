import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { LEDGER_SUMS } from "@/lib/payouts/closings/ledger-sums-sql";
import {
  type EntryPayoutRow,
  entriesOfPayoutSql,
  entryPayoutSql,
  toEntryPayout,
} from "@/lib/payouts/money/entry-payout-sql";
import { bigKey, declareQuery } from "@/lib/platform/console/declare-query";
import { pageSql, ROW_MARKS, type RowMarks, rowCount, SCREEN, toPage } from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { LedgerInput, LedgerList, LedgerRow, StatementRow } from "./contract";

const MAX_STATEMENTS = 100;

const ledgerListQuery = declareQuery<LedgerInput>({
  table: "ledger_entries e",
  columns: "id, transfer_id, account, amount_cents, order_id, merchant_id, line_id, created_at",
  order: [bigKey("e.id")],
  at: sql`e.created_at`,
  checks: { account: (account) => sql`e.account = ${account}` },
});

type Row = Omit<LedgerRow, "debit" | "credit" | "amount" | "payout"> & {
  cents: number;
  moved: number;
  payout: EntryPayoutRow;
};

type StatedRow = Omit<StatementRow, "opening" | "closing"> & { openingCents: number; closingCents: number };

/**
 * A page of the ledger's entries, those of a transfer together, with the newest statements, the balance of each account, and what the
 * whole is off by.
 * @throws ShopError cursor_invalid
 */
export async function listLedger(input: LedgerInput): Promise<LedgerList> {
  const query = {
    ...ledgerListQuery(input),
    ...(input.payout_id !== undefined && { from: entriesOfPayoutSql(input.payout_id) }),
  };
  const rows = await listDb.execute<Row & RowMarks>(sql`
    with ${pageSql(query, input, SCREEN)}
    select w.id::text as entry_id, w.transfer_id, w.created_at as at, w.account, w.amount_cents as cents, w.order_id,
      (select m.name from merchants m where m.id = w.merchant_id) as merchant_name,
      (select sum(x.amount_cents)::int from ledger_entries x where x.transfer_id = w.transfer_id and x.amount_cents > 0) as moved,
      ${entryPayoutSql} as payout, ${ROW_MARKS}
    from page w order by w.place`);
  const page = await toPage(query, input, SCREEN, rows, ({ cents, moved, payout, ...row }) => ({
    ...row,
    at: instant(row.at),
    debit: cents > 0 ? toDecimal(cents) : null,
    credit: cents < 0 ? toDecimal(-cents) : null,
    amount: toDecimal(moved),
    payout: toEntryPayout(payout),
  }));
  const accounts = await listDb.execute<{ account: string; cents: number }>(sql`
    select account, sum(cents)::float8 as cents from ${LEDGER_SUMS} e group by account order by account`);
  const statements = await listDb.execute<StatedRow>(sql`
    select s.id as statement_id, s.merchant_id, m.name as merchant_name, s.number, s.kind, s.to_at as "to", s.lines,
      s.opening_cents::float8 as "openingCents", s.closing_cents::float8 as "closingCents"
    from (select * from statements order by created_at desc, id desc limit ${rowCount(MAX_STATEMENTS)}) s join merchants m on m.id = s.merchant_id
    order by s.created_at desc, s.id desc`);
  return {
    ...page,
    imbalance: toDecimal(accounts.reduce((sum, { cents }) => sum + cents, 0)),
    accounts: accounts.map(({ account, cents }) => ({ account, balance: toDecimal(cents) })),
    statements: statements.map(({ openingCents, closingCents, ...row }) => ({
      ...row,
      to: instant(row.to),
      opening: toDecimal(openingCents),
      closing: toDecimal(closingCents),
    })),
  };
}
