import { eq, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { orderLines } from "@/db/schema/orders";
import { refunds } from "@/db/schema/payments";
import { SendRefund } from "@/lib/orders/contract-jobs";
import type { LineState } from "@/lib/orders/rules";
import type { LockedOrder } from "@/lib/orders/status/lock-order";
import { transition } from "@/lib/orders/status/transition";
import { correctLedger } from "@/lib/payments/post-ledger";
import { newId } from "@/lib/platform/crypto/ids";
import { enqueue } from "@/lib/platform/jobs/queue";

/** Books what the provider has refunded so far: its amount, or 0. The order must be locked. */
export const bookRefund = (tx: Tx, { id: orderId }: LockedOrder, transferId: string, amountCents: number) =>
  correctLedger(tx, { transferId, orderId, debit: "refunds", credit: "provider_cash", amountCents });

/** Adds and queues a refund of the same line and reason, for money that the provider did not refund by `refundId`. */
export async function addPart(tx: Tx, refundId: string, amountCents: number): Promise<void> {
  const id = newId("rfd");
  await tx.execute(sql`
    insert into refunds (id, order_id, order_line_id, intent_id, amount_cents, reason, part)
    select ${id}, r.order_id, r.order_line_id, r.intent_id, ${amountCents}, r.reason,
      (select max(s.part) + 1 from refunds s where s.order_id = r.order_id and s.reason = r.reason)
    from refunds r where r.id = ${refundId}`);
  await enqueue(tx, SendRefund, { refundId: id }, { jobKey: id });
}

/** Reduces or cancels unsent refunds, in their order, by money that was refunded otherwise. Returns the remainder. */
export async function coverRefunds(
  tx: Tx,
  unsent: { id: string; amount_cents: number }[],
  paidCents: number,
): Promise<number> {
  let leftCents = paidCents;
  for (const { id, amount_cents } of unsent) {
    const coveredCents = Math.min(amount_cents, leftCents);
    leftCents -= coveredCents;
    const isCovered = coveredCents === amount_cents;
    const change = isCovered ? { state: "cancelled" as const } : { amountCents: amount_cents - coveredCents };
    await tx
      .update(refunds)
      .set({ ...change, updatedAt: sql`greatest(${refunds.updatedAt}, shop_now())` })
      .where(eq(refunds.id, id));
  }
  return leftCents;
}

/** Updates the order after refunds of its lines: refunded when all lines are, shipped when no line waits. */
export async function closeAfterRefund(tx: Tx, order: LockedOrder, reason: string): Promise<void> {
  const states = await tx
    .selectDistinct({ state: orderLines.state })
    .from(orderLines)
    .where(eq(orderLines.orderId, order.id));
  const hasLines = (state: LineState) => states.some((row) => row.state === state);
  if (hasLines("waiting") || hasLines("reserved")) return;
  if (!hasLines("assigned")) await transition(tx, order, "refunded", { reason });
  else if (order.status === "processing") await transition(tx, order, "assigned", { reason });
}
