import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { LEDGER_SUMS } from "@/lib/payouts/closings/ledger-sums-sql";
import { rowCount } from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { LedgerList, LedgerRow, StatementRow } from "./contract";

const MAX_LISTED = 200;
const MAX_STATEMENTS = 100;

type Row = Omit<LedgerRow, "debit" | "credit"> & { cents: number };

type StatedRow = Omit<StatementRow, "opening" | "closing"> & { openingCents: number; closingCents: number };

/** The newest entries of the ledger and statements, with the balance of each account and what the whole is off by. */
export async function listLedger(): Promise<LedgerList> {
  const rows = await listDb.execute<Row>(sql`
    select e.id::text as entry_id, e.transfer_id, e.created_at as at, e.account, e.amount_cents as cents, e.order_id,
      (select m.name from merchants m where m.id = e.merchant_id) as merchant_name
    from (select * from ledger_entries order by id desc limit ${rowCount(MAX_LISTED)}) e order by e.id desc`);
  const accounts = await listDb.execute<{ account: string; cents: number }>(sql`
    select account, sum(cents)::float8 as cents from ${LEDGER_SUMS} e group by account order by account`);
  const statements = await listDb.execute<StatedRow>(sql`
    select s.id as statement_id, s.merchant_id, m.name as merchant_name, s.number, s.kind, s.to_at as "to", s.lines,
      s.opening_cents::float8 as "openingCents", s.closing_cents::float8 as "closingCents"
    from (select * from statements order by created_at desc, id desc limit ${rowCount(MAX_STATEMENTS)}) s join merchants m on m.id = s.merchant_id
    order by s.created_at desc, s.id desc`);
  return {
    items: rows.map(({ cents, ...row }) => ({
      ...row,
      at: instant(row.at),
      debit: cents > 0 ? toDecimal(cents) : null,
      credit: cents < 0 ? toDecimal(-cents) : null,
    })),
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
