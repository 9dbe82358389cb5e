import { db } from "@/db/client";
import { findRefundByEvent } from "@/lib/orders/refunds/find-refund-by-event";
import { recordProviderRefund } from "@/lib/orders/refunds/record-provider-refund";
import { sendRefund } from "@/lib/orders/refunds/send-refund";
import { markWebhookProcessed } from "@/lib/payments/store-webhook-event";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { settlePayment } from "./settle-payment";

/**
 * Brings the refunds of a payment up to date with the provider: its own are recorded, those of the shop are checked. Events name
 * one refund or only the charge, so that all of the payment are read: order and repetition of events do not matter.
 */
export async function updateRefunds(intentId: string, eventId?: string): Promise<void> {
  if (await settlePayment(intentId))
    for await (const refund of paymentProvider().refundsOf(intentId)) {
      const stored = await findRefundByEvent({ objectId: refund.id, refundId: refund.refundId });
      if (stored) await sendRefund(stored, refund.id);
      else await recordProviderRefund(refund);
    }
  await markWebhookProcessed(db, eventId);
}
