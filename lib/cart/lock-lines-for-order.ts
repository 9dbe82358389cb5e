import { statements, type Tx } from "@/db/client";
import { type LineRow, lineColumns, lineTables, toPricedLine } from "./cart-lines";
import { STOCK_COUNTED_FOR_ORDER } from "./rules";

/**
 * Locks the lines of an order, so that two orders cannot use the same ones, and returns them with the transaction's
 * time.
 */
export async function lockLinesForOrder(tx: Tx, userId: string, cartIds: string[] | undefined) {
  const sql = statements(tx);
  const idCondition = cartIds ? sql`c.id = any(${cartIds}::text[])` : sql`c.selected`;
  const rows = await sql<LineRow[]>`
    select ${lineColumns(STOCK_COUNTED_FOR_ORDER)} from ${lineTables()}
    where c.user_id = ${userId} and ${idCondition} order by c.created_at, c.id for update of c`;
  const now = new Date(rows[0]?.now ?? 0);
  return { lines: rows.map((row) => toPricedLine(row, now)), now };
}
