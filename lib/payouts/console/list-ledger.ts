import { sql } from "drizzle-orm";
import { listDb } from "@/db/client";
import { LEDGER_SUMS } from "@/lib/payouts/closings/ledger-sums-sql";
import { rowCount } from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import { toDecimal } from "@/lib/platform/money";
import type { LedgerList, LedgerRow } from "./contract";

const MAX_LISTED = 200;

type Row = Omit<LedgerRow, "debit" | "credit"> & { cents: number };

/** The newest entries of the ledger, with the balance of each account and what the whole is off by. */
export async function listLedger(): Promise<LedgerList> {
  const rows = await listDb.execute<Row>(sql`
    select e.id::text as entry_id, e.transfer_id, e.created_at as at, e.account, e.amount_cents as cents, e.order_id,
      (select m.name from merchants m where m.id = e.merchant_id) as merchant_name
    from (select * from ledger_entries order by id desc limit ${rowCount(MAX_LISTED)}) e order by e.id desc`);
  const accounts = await listDb.execute<{ account: string; cents: number }>(sql`
    select account, sum(cents)::float8 as cents from ${LEDGER_SUMS} e group by account order by account`);
  return {
    items: rows.map(({ cents, ...row }) => ({
      ...row,
      at: instant(row.at),
      debit: cents > 0 ? toDecimal(cents) : null,
      credit: cents < 0 ? toDecimal(-cents) : null,
    })),
    imbalance: toDecimal(accounts.reduce((sum, { cents }) => sum + cents, 0)),
    accounts: accounts.map(({ account, cents }) => ({ account, balance: toDecimal(cents) })),
  };
}
