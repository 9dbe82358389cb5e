import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { releaseOrder } from "@/lib/orders/cancellation/commands";
import { openRefund } from "@/lib/orders/refunds/commands";
import { isPayable } from "@/lib/orders/rules";
import { type LockedOrder, transition } from "@/lib/orders/status/commands";
import { postLedger } from "@/lib/payments/commands";
import { audit } from "@/lib/platform/audit";
import { log } from "@/lib/platform/log";
import type { IntentView } from "@/lib/platform/stripe/views";

/**
 * Handles a payment whose amount differs from the order: books it, refunds it, releases the order, and the refund
 * email informs the shopper.
 */
export async function handleAmountMismatch(
  tx: Tx,
  order: LockedOrder,
  paymentId: string,
  intent: IntentView,
): Promise<void> {
  await reportPayment(tx, order, intent, "payment_amount_mismatch");
  if (isPayable(order.status)) {
    await transition(tx, order, "cancelled", { reason: "amount_differs" });
    await releaseOrder(tx, order);
  }
  await transition(tx, order, "refunded", { reason: "amount_differs", transactionId: intent.id });
  await bookAndRefund(tx, order, paymentId, intent, "amount_differs");
}

/** Refunds, once, a payment that succeeded although it was cancelled and another one paid the order. */
export async function refundSecondPayment(tx: Tx, order: LockedOrder, paymentId: string, intent: IntentView) {
  const secondPayment = await tx.execute(sql`
    select 1 from payments p where p.id = ${paymentId} and p.state = 'canceled'
      and exists (select 1 from payments other where other.order_id = p.order_id and other.state <> 'canceled')
      and not exists (select 1 from refunds r where r.intent_id = ${intent.id})`);
  if (secondPayment.length === 0) return;
  await reportPayment(tx, order, intent, "payment_twice");
  await bookAndRefund(tx, order, paymentId, intent, "paid_twice");
}

async function bookAndRefund(
  tx: Tx,
  order: LockedOrder,
  paymentId: string,
  intent: IntentView,
  reason: "amount_differs" | "paid_twice",
): Promise<void> {
  const amountCents = intent.amountReceivedCents;
  if (amountCents === 0) return;
  await postLedger(tx, {
    transferId: paymentId,
    orderId: order.id,
    debit: "provider_cash",
    credit: "sales",
    amountCents,
  });
  await openRefund(tx, order, { lineId: null, intentId: intent.id, amountCents, reason });
}

async function reportPayment(tx: Tx, order: LockedOrder, intent: IntentView, action: string): Promise<void> {
  const detail = { received: intent.amountReceivedCents, currency: intent.currency, intent: intent.id };
  await audit({ actor: "system", action, subject: order.id, detail }, tx);
  log.error({ orderId: order.id, ...detail }, action);
}
