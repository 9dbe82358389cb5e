import { and, eq, sql } from "drizzle-orm";
import { shopNow, type Tx } from "@/db/client";
import { refundRequests } from "@/db/schema/payments";
import { findRefundableLine } from "@/lib/orders/refunds/find-refundable-line";
import { refundLine } from "@/lib/orders/refunds/request-refund";
import type { LockedOrder } from "@/lib/orders/status/lock-order";
import { FRAUD_WARNING } from "@/lib/payments/rules";

/**
 * Refunds what is left of a suspected order, with all of its codes: unseen ones are sold again, seen ones locked for good. Returns the
 * cents.
 */
export async function refundWarnedOrder(tx: Tx, order: LockedOrder, actor: string): Promise<number> {
  const open = await tx.execute<{ id: string }>(sql`
    select id from order_lines where order_id = ${order.id} and state in ('reserved', 'waiting', 'assigned') order by position`);
  let refundedCents = 0;
  for (const { id } of open) {
    const line = (await findRefundableLine(tx, order.id, id))!;
    const amountCents = Math.min(line.leftCents, line.capturedCents);
    await tx
      .update(refundRequests)
      .set({ state: "approved", decidedAt: shopNow, decidedBy: FRAUD_WARNING })
      .where(and(eq(refundRequests.orderLineId, id), eq(refundRequests.state, "asked")));
    await refundLine(tx, order, line, amountCents, { actor, reason: FRAUD_WARNING });
    refundedCents += amountCents;
  }
  return refundedCents;
}
