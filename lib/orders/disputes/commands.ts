import { eq } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { disputes, payments } from "@/db/schema/payments";
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
  const { intentId } = dispute;
  if (!intentId) return log.warn({ disputeId }, "dispute without a payment intent");
  const [payment] = await db
    .select({ orderId: payments.orderId })
    .from(payments)
    .where(eq(payments.intentId, intentId));
  if (!payment) return log.warn({ disputeId }, "dispute of an unknown payment");
  await transaction((tx) => storeDispute(tx, payment.orderId, { ...dispute, intentId }));
}

type PaymentDispute = DisputeView & { intentId: string };

async function storeDispute(tx: Tx, orderId: string, dispute: PaymentDispute): Promise<void> {
  const order = await lockOrder(tx, orderId);
  if (!order) throw new Error(`dispute ${dispute.id} has no order`);
  const [previous] = await tx
    .select({ status: disputes.status, isOpen: disputes.isOpen })
    .from(disputes)
    .where(eq(disputes.id, dispute.id));
  // Nothing changed, or the provider's response is older than the final state stored here.
  if (previous?.status === dispute.status || (previous && !previous.isOpen && dispute.isOpen)) return;
  const { id, intentId, amountCents, reason, status, isOpen } = dispute;
  const current = { amountCents, status, isOpen, closedAt: isOpen ? null : shopNow };
  await tx
    .insert(disputes)
    .values({ id, orderId, intentId, reason, ...current })
    .onConflictDoUpdate({ target: disputes.id, set: current });
  // A lost dispute is booked like a refund (docs/decisions/0019-book-a-lost-dispute-as-a-refund.md).
  if (dispute.isLost && amountCents > 0)
    await postLedger(tx, { transferId: id, orderId, debit: "refunds", credit: "provider_cash", amountCents });
  const detail = { disputeId: id, status, reason, amountCents };
  const action = isOpen ? "dispute_open" : "dispute_closed";
  await audit({ actor: "system", action, subject: orderId, detail }, tx);
  if (!previous || dispute.isLost)
    log.error({ orderId, ...detail }, "payment is disputed: handle it in the provider's dashboard");
}
