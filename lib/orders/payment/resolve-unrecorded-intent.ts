import { and, eq, isNull, ne } from "drizzle-orm";
import { db, shopNow } from "@/db/client";
import { payments } from "@/db/schema/payments";
import { newId } from "@/lib/platform/crypto/ids";
import { log } from "@/lib/platform/log";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import type { IntentView } from "@/lib/platform/stripe/views";

/**
 * Handles an intent that no payment has recorded, by the ids in its metadata. The intent of a payment whose creation got
 * no response is linked. Any other intent of one of our orders is a duplicate, which the provider made although it had
 * the payment's idempotency key: it is cancelled, or recorded as a closed payment when it is paid, so that settling it
 * refunds it. Intents of other systems with the same provider account are ignored. Safe to repeat.
 * @returns whether a payment has recorded the intent by now, so that it can be settled
 */
export async function resolveUnrecordedIntent(intent: IntentView): Promise<boolean> {
  const { orderId, paymentId } = intent.metadata;
  if (!orderId || !paymentId) return false;
  const [payment] = await db
    .select({ amountCents: payments.amountCents, currency: payments.currency, email: payments.receiptEmail })
    .from(payments)
    .where(and(eq(payments.id, paymentId), eq(payments.orderId, orderId)));
  if (!payment) return false;
  if (await linkIntent(paymentId, intent.id)) return true;
  const current = await cancelUnlessPaid(intent);
  if (current.state !== "succeeded") return false;
  log.error({ orderId, intentId: intent.id }, "a duplicate intent of an order was paid; it is refunded");
  await db
    .insert(payments)
    .values({
      id: newId("pay"),
      orderId,
      intentId: intent.id,
      state: "canceled",
      amountCents: payment.amountCents,
      currency: payment.currency,
      receiptEmail: payment.email,
    })
    .onConflictDoNothing();
  return true;
}

/** Links the intent of an open payment whose creation got no response. False when the payment has another intent. */
async function linkIntent(paymentId: string, intentId: string): Promise<boolean> {
  const linked = await db
    .update(payments)
    .set({ intentId, requestedAt: null, updatedAt: shopNow })
    .where(and(eq(payments.id, paymentId), isNull(payments.intentId), ne(payments.state, "canceled")))
    .returning({ id: payments.id });
  return linked.length === 1;
}

/** Cancels a duplicate. Returns its state afterwards: cancelled, or paid or processing when it is too late. */
async function cancelUnlessPaid(intent: IntentView): Promise<IntentView> {
  if (intent.state === "canceled") return intent;
  if (intent.state === "succeeded") return paymentProvider().retrieveIntent(intent.id);
  try {
    return await paymentProvider().cancelIntent(intent.id);
  } catch (error) {
    if (!isProviderError(error, "refused")) throw error;
    return paymentProvider().retrieveIntent(intent.id);
  }
}
