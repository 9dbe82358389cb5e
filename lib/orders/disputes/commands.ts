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
  if (!dispute.intentId) return log.warn({ disputeId }, "a dispute of no payment of ours");
  const [payment] = await db.execute<{ order_id: string }>(
    sql`select order_id from payments where intent_id = ${dispute.intentId}`,
  );
  if (!payment) return log.warn({ disputeId }, "a dispute of a payment that is not ours");
  await transaction((tx) => keepDispute(tx, payment.order_id, dispute));
}

type Before = { status: string; is_open: boolean };

async function keepDispute(tx: Tx, orderId: string, dispute: DisputeView): Promise<void> {
  const order = await lockOrder(tx, orderId);
  if (!order) throw new Error(`dispute ${dispute.id} has no order`);
  const [before] = await tx.execute<Before>(
    sql`select status, is_open from disputes where id = ${dispute.id}`,
  );
  // The provider's answer is older than a state that is already final here.
  if (before?.status === dispute.status || (before && !before.is_open && dispute.isOpen)) return;
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
  if (!before || dispute.isLost)
    log.error({ orderId, ...detail }, "a payment is disputed: see it at the provider");
}
