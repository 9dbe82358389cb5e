import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/db/client";

/** `open`: the bank has not decided. `lost`: the bank returned the payment of the order. */
export type DisputeState = "open" | "lost";

/**
 * SQL: the state of an order's disputes, or null. An open one counts whichever payment it concerns; a lost one only if
 * it concerns the payment that paid the order. `order` is the alias of the order's row.
 */
export const disputeStateSql = (order: "o"): SQL =>
  sql.raw(`(select case when bool_or(d.is_open) then 'open'
    when bool_or(d.status = 'lost' and d.intent_id = ${order}.transaction_id) then 'lost' end
  from disputes d where d.order_id = ${order}.id)`);

/**
 * Whether a dispute of a locked order stops refunds, replacements and reveals (docs/product.md#810-disputes); null when
 * nothing is disputed or the dispute was won.
 */
export async function findDisputeState(tx: Db, orderId: string): Promise<DisputeState | null> {
  const [order] = await tx.execute<{ dispute: DisputeState | null }>(sql`
    select ${disputeStateSql("o")} as dispute from orders o where o.id = ${orderId}`);
  return order?.dispute ?? null;
}
