import { statements, type Tx } from "@/db/client";
import type { LockedOrder } from "@/lib/orders/status/lock-order";
import { transition } from "@/lib/orders/status/transition";

/**
 * SQL: the code of a key `k` of a line `l` was neither mailed nor shown. In an order from before the delivery choice
 * existed, a code kept in the library counts as delivered.
 */
export const UNDELIVERED_CODE =
  "k.mailed_at is null and k.first_revealed_at is null and not (l.immediate_delivery is null and l.keep_in_library)";

/** Completes a shipped order whose codes were all mailed or shown. The order must be locked. */
export async function completeDelivered(tx: Tx, order: LockedOrder | null): Promise<void> {
  if (order?.status === "shipped" && !(await hasUndeliveredCodes(tx, order.id)))
    await transition(tx, order, "delivered");
}

async function hasUndeliveredCodes(tx: Tx, orderId: string): Promise<boolean> {
  const query = statements(tx);
  const undelivered = await query`
    select 1 from order_lines l join keys k on k.order_line_id = l.id and k.state = 'assigned'
    where l.order_id = ${orderId} and ${query.unsafe(UNDELIVERED_CODE)} limit 1`;
  return undelivered.length > 0;
}
