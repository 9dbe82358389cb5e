import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { openRefund } from "@/lib/orders/refunds/open-refund";
import { lockOrder } from "@/lib/orders/status/lock-order";
import { correctLedger } from "@/lib/payments/post-ledger";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView } from "@/lib/platform/stripe/views";
import {
  findSurplus,
  type PaymentSnapshot,
  readPayment,
  reportPayment,
  retrieveIntent,
  settlePayment,
} from "./settle-payment";

/**
 * Repairs a difference between a payment and the provider: settles it, cancels it there when it is closed here, and
 * corrects what was booked to what was received. What was received beyond the booked amount is refunded.
 */
export async function repairPayment(intentId: string): Promise<void> {
  await settlePayment(intentId);
  const payment = await readPayment(intentId);
  if (!payment) return;
  const intent = await retrieveIntent(intentId, payment);
  if (payment.state === "canceled" && intent.state.startsWith("requires_"))
    await paymentProvider().cancelIntent(intentId);
  if (intent.state === "succeeded") await transaction((tx) => correctReceived(tx, payment, intent));
}

async function correctReceived(tx: Tx, payment: PaymentSnapshot, intent: IntentView): Promise<void> {
  const order = await lockOrder(tx, payment.orderId);
  const [booked] = await tx.execute(
    sql`select 1 from ledger_entries where transfer_id = ${payment.id} limit 1`,
  );
  if (!order || !booked) return;
  const differenceCents = await correctLedger(tx, {
    transferId: payment.id,
    orderId: order.id,
    debit: "provider_cash",
    credit: "sales",
    amountCents: intent.amountReceivedCents,
  });
  if (differenceCents === 0) return;
  await reportPayment(tx, order, intent, "payment_amount_corrected");
  const surplusCents = await findSurplus(tx, order.id, intent);
  if (surplusCents <= 0) return;
  const refund = { lineId: null, intentId: intent.id, amountCents: surplusCents, reason: "overpaid" };
  await openRefund(tx, order, { ...refund, mayRepeat: true });
}
