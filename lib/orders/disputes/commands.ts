import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { lockOrder } from "@/lib/orders/status/commands";
import { postLedger } from "@/lib/payments/commands";
import { audit } from "@/lib/platform/audit";
import { log } from "@/lib/platform/log";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { DisputeView } from "@/lib/platform/stripe/views";

/**
 * Updates a dispute to the provider's current state (docs/reliability.md#calls-to-providers). While it is open the
 * order's codes are locked; after a loss the money is booked as refunded and the codes stay locked. Safe to repeat,
 * in any order of webhook events.
 */
export async function updateDispute(disputeId: string): Promise<void> {
  const dispute = await paymentProvider().retrieveDispute(disputeId);
  if (!dispute.intentId) return log.warn({ disputeId }, "dispute without a payment intent");
  const [payment] = await db.execute<{ order_id: string }>(
    sql`select order_id from payments where intent_id = ${dispute.intentId}`,
  );
  if (!payment) return log.warn({ disputeId }, "dispute of an unknown payment");
  await transaction((tx) => storeDispute(tx, payment.order_id, dispute));
}

async function storeDispute(tx: Tx, orderId: string, dispute: DisputeView): Promise<void> {
  const order = await lockOrder(tx, orderId);
  if (!order) throw new Error(`dispute ${dispute.id} has no order`);
  const [previous] = await tx.execute<{ status: string; is_open: boolean }>(
    sql`select status, is_open from disputes where id = ${dispute.id}`,
  );
  // Nothing changed, or the provider's response is older than the final state stored here.
  if (previous?.status === dispute.status || (previous && !previous.is_open && dispute.isOpen)) return;
  const { id, intentId, amountCents, reason, status, isOpen } = dispute;
  await tx.execute(sql`
    insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open, closed_at)
    values (${id}, ${orderId}, ${intentId}, ${amountCents}, ${reason}, ${status}, ${isOpen}, ${isOpen ? null : sql`shop_now()`})
    on conflict (id) do update set status = excluded.status, is_open = excluded.is_open,
      amount_cents = excluded.amount_cents, closed_at = excluded.closed_at`);
  // A lost dispute is booked like a refund (docs/decisions/0019-book-a-lost-dispute-as-a-refund.md).
  if (dispute.isLost && amountCents > 0)
    await postLedger(tx, { transferId: id, orderId, debit: "refunds", credit: "provider_cash", amountCents });
  const detail = { disputeId: id, status, reason, amountCents };
  await audit(
    { actor: "system", action: isOpen ? "dispute_open" : "dispute_closed", subject: orderId, detail },
    tx,
  );
  if (!previous || dispute.isLost)
    log.error({ orderId, ...detail }, "payment is disputed: handle it in the provider's dashboard");
}
