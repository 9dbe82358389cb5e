import { type Db, statements } from "@/db/client";
import { type LineRow, lineColumns, lineTables, toPricedLine } from "./cart-lines";
import { STOCK_COUNTED_FOR_ORDER } from "./rules";

/** Units of a plan, without a cart. */
export type PassUnits = { vip_id: number; quantity: number };

/**
 * Passes as the lines of an order that leaves the cart as it is ("Buy now", carts of agents), in their order, and the statement's
 * time. Plans that do not exist are left out. `userId` null: nobody has bought any of them.
 */
export async function pricePasses(connection: Db, userId: string | null, passes: readonly PassUnits[]) {
  const sql = statements(connection);
  const lines = sql`(select '' as id, ${userId ?? ""}::text as user_id, w.position, p.product_id, p.id as plan_id, w.quantity, true as selected
    from unnest(${passes.map(({ vip_id }) => vip_id)}::int[], ${passes.map(({ quantity }) => quantity)}::int[])
      with ordinality as w(plan_id, quantity, position) join plans p on p.id = w.plan_id)`;
  const rows = await sql<LineRow[]>`
    select ${lineColumns(STOCK_COUNTED_FOR_ORDER)} from ${lineTables(lines)} order by c.position`;
  const now = new Date(rows[0]?.now ?? 0);
  return { lines: rows.map((row) => toPricedLine(row, now)), now };
}
