import { type SQL, sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";

/**
 * SQL: the sales of a merchant `m` pause and its payouts are held, because its trader file stayed incomplete for 30
 * days after the notice. For statements over many merchants; use `tradeFileHolds` for one.
 */
export const TRADE_FILE_HOLDS: SQL<boolean> = sql`m.trade_held_at is not null`;

/**
 * Since when a merchant's payouts are held because its trader file is incomplete (docs/product.md#1412-trader-file);
 * null if they are not, and for an unknown merchant. A payout checks it when it is drafted and again when it is sent,
 * in its transaction `tx`. The hold ends in the transaction that completes the file.
 */
export async function tradeFileHolds(merchantId: string, tx: Db = db): Promise<Date | null> {
  const [row] = await tx.execute<{ at: string }>(sql`
    select m.trade_held_at as at from merchants m where m.id = ${merchantId} and ${TRADE_FILE_HOLDS}`);
  return row ? new Date(row.at) : null;
}
