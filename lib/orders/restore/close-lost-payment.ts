import { and, eq, isNotNull, notInArray, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { orders } from "@/db/schema/orders";
import { lostPayments, payments } from "@/db/schema/payments";
import { expireOrder } from "@/lib/orders/cancellation/close-unpaid-order";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { isPayable } from "@/lib/orders/rules";
import { CURRENCY } from "@/lib/payments/rules";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView } from "@/lib/platform/stripe/views";
import type { LostPayment, OpenPayment, RestoreReport } from "./restore-report";

/** Settles the payments that were open at the restored moment. */
export async function settleOpenPayments(): Promise<void> {
  const open = await db
    .select({ intentId: payments.intentId })
    .from(payments)
    .where(and(isNotNull(payments.intentId), notInArray(payments.state, ["succeeded", "canceled"])));
  for (const { intentId } of open) await settlePayment(intentId!);
}

/**
 * Records a payment that was opened after the restored moment for an order that is here, and settles it. A second live
 * payment of an order is recorded as closed, so that settling it refunds it.
 */
export async function recordPayment({ id: intentId, metadata, amountCents }: IntentView): Promise<number> {
  const { orderId, paymentId } = metadata;
  const [order] = await db
    .select({ receiptEmail: orders.sendEmail })
    .from(orders)
    .where(eq(orders.id, orderId!));
  if (!order || !paymentId) return 0;
  const payment = { id: paymentId, orderId: orderId!, intentId, amountCents, currency: CURRENCY, ...order };
  for (const state of ["creating", "canceled"] as const) {
    const recorded = await db
      .insert(payments)
      .values({ ...payment, state })
      .onConflictDoNothing()
      .returning({ id: payments.id });
    if (recorded.length > 0) break;
  }
  await settlePayment(intentId);
  return 1;
}

const toLost = ({ id, metadata, items, amountCents }: IntentView): LostPayment => ({
  intentId: id,
  orderId: metadata.orderId ?? "",
  items,
  amountCents,
});

const stillProcessing = (intent: IntentView): OpenPayment => ({
  intentId: intent.id,
  orderId: intent.metadata.orderId ?? "",
  why: "is being processed: check again when it is decided",
});

/** Refunds a payment whose order is lost, or cancels it while it is unpaid. What is refunded already stays. */
export async function closeLostPayment(report: RestoreReport, listed: IntentView): Promise<void> {
  const { refunded, cancelled, open } = report.payments;
  const lost = toLost(listed);
  try {
    const intent = listed.state.startsWith("requires_")
      ? await cancelOrRetrieve(listed.id)
      : await paymentProvider().retrieveIntent(listed.id);
    if (intent.state === "processing") return void open.push(stillProcessing(intent));
    const outcome = intent.state === "succeeded" ? "refunded" : "cancelled";
    if (outcome === "refunded") await refundLost(intent);
    await db
      .insert(lostPayments)
      .values({ ...lost, outcome })
      .onConflictDoNothing();
    (outcome === "refunded" ? refunded : cancelled).push(lost);
  } catch (error) {
    if (!isProviderError(error, "refused")) throw error;
    open.push({
      intentId: lost.intentId,
      orderId: lost.orderId,
      why: `the provider refuses: ${error.message}`,
    });
  }
}

/** It may be paid between the list and this call. */
async function cancelOrRetrieve(intentId: string): Promise<IntentView> {
  try {
    return await paymentProvider().cancelIntent(intentId);
  } catch (error) {
    if (!isProviderError(error, "refused")) throw error;
    return paymentProvider().retrieveIntent(intentId);
  }
}

async function refundLost({ id: intentId, amountReceivedCents }: IntentView): Promise<void> {
  let left = amountReceivedCents;
  for await (const refund of paymentProvider().refundsOf(intentId))
    if (refund.state !== "failed") left -= refund.amountCents;
  if (left <= 0) return;
  const refundId = `lost_${intentId}`;
  await paymentProvider().refund({
    intentId,
    refundId,
    amountCents: left,
    idempotencyKey: `${refundId}:${left}`,
  });
}

/** Ends an unpaid order as if its hold were over; no one can pay for it any more. Its keys return to stock. */
export async function endUnpaidOrder({ payments: { open } }: RestoreReport, orderId: string): Promise<void> {
  await db.execute(sql`
    update orders set hold_ends_at = shop_now() where id = ${orderId} and hold_ends_at > shop_now()`);
  const status = await expireOrder(orderId);
  if (isPayable(status))
    open.push({
      intentId: null,
      orderId,
      why: "its payment may still succeed: check again when it is decided",
    });
}
