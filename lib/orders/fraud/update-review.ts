import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { markWebhookProcessed } from "@/lib/payments/store-webhook-event";
import { log } from "@/lib/platform/log";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import { findPaidOrder } from "./find-paid-order";

/** Stores a review of a payment as the provider has it now; one that was closed stays closed. Order and repetition of events do not matter. */
export async function updateReview(reviewId: string, eventId?: string): Promise<void> {
  const { id, intentId, isOpen, reason, closedReason } = await paymentProvider().retrieveReview(reviewId);
  const orderId = intentId && (await findPaidOrder(intentId));
  await transaction(async (tx) => {
    if (orderId)
      await tx.execute(sql`
        insert into payment_reviews (id, order_id, intent_id, is_open, reason, closed_reason, closed_at)
        values (${id}, ${orderId}, ${intentId}, ${isOpen}, ${reason}, ${closedReason}, case when ${isOpen} then null else shop_now() end)
        on conflict (id) do update set is_open = excluded.is_open, closed_reason = excluded.closed_reason, closed_at = excluded.closed_at
        where payment_reviews.is_open and not excluded.is_open`);
    else log.warn({ reviewId, intentId }, "review of a payment that is not ours");
    await markWebhookProcessed(tx, eventId);
  });
}
