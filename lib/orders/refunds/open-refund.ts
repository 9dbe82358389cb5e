import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { refunds } from "@/db/schema/payments";
import { SendRefund } from "@/lib/orders/contract-jobs";
import type { LockedOrder } from "@/lib/orders/status/lock-order";
import { newId } from "@/lib/platform/crypto/ids";
import { enqueue } from "@/lib/platform/jobs/queue";

type OpenRefundInput = {
  /** null: the whole order */
  lineId: string | null;
  /** The intent to refund, when it is not the one that paid the order. */
  intentId?: string;
  amountCents: number;
  reason: string;
  /** Adds a part to an earlier refund for the same reason. */
  mayRepeat?: boolean;
};

/**
 * Stores a refund and queues the job that sends it to the provider. Throws when the line already has a refund for the
 * same reason, because callers never refund twice, unless it may repeat.
 */
export async function openRefund(
  tx: Tx,
  order: LockedOrder,
  { lineId, intentId, amountCents, reason, mayRepeat = false }: OpenRefundInput,
): Promise<void> {
  const part = mayRepeat ? nextPartSql(order.id, reason) : 1;
  const [refund] = await tx
    .insert(refunds)
    .values({ id: newId("rfd"), orderId: order.id, orderLineId: lineId, intentId, amountCents, reason, part })
    .onConflictDoNothing()
    .returning({ id: refunds.id });
  if (!refund) throw new Error(`order ${order.id}: a refund (${reason}) exists already`);
  await enqueue(tx, SendRefund, { refundId: refund.id }, { jobKey: refund.id });
}

/** SQL: the number of the next part of an order's refunds for a reason. The order must be locked. */
export const nextPartSql = (orderId: string, reason: string) =>
  sql<number>`(select coalesce(max(r.part), 0) + 1 from refunds r where r.order_id = ${orderId} and r.reason = ${reason})`;
