import { and, eq, ne } from "drizzle-orm";
import { db } from "@/db/client";
import { payments } from "@/db/schema/payments";
import { callProvider } from "@/lib/payments/cards/call-provider";
import { isProviderError } from "@/lib/platform/stripe/errors";
import { paymentProvider } from "@/lib/platform/stripe/provider";
import {
  type LivePayment,
  recordCanceled,
  recordIntent,
  retrieveOrCreateIntent,
} from "./retrieve-or-create-intent";

export type PaymentsClosed = "closed" | "may_still_succeed";

/**
 * Cancels every live intent of an order at the provider. Returns `may_still_succeed` when the provider refuses (paid
 * or processing): stock must stay held.
 * @throws ShopError provider_unavailable when the provider does not answer
 */
export async function closePayments(orderId: string): Promise<PaymentsClosed> {
  const livePayments: LivePayment[] = await db
    .select()
    .from(payments)
    .where(and(eq(payments.orderId, orderId), ne(payments.state, "canceled")));
  for (const payment of livePayments) {
    const isClosed = await callProvider(() => closeIntent(payment));
    if (!isClosed) return "may_still_succeed";
    await recordCanceled(payment.id);
  }
  return "closed";
}

async function closeIntent(payment: LivePayment): Promise<boolean> {
  const intent = await retrieveOrCreateIntent(payment).catch((error: unknown) => {
    // The provider refused to create the intent (an amount below the minimum), so there is nothing to close.
    if (isProviderError(error, "refused") && !payment.intentId) return null;
    throw error;
  });
  if (!intent) return true;
  const recordedId = await recordIntent(payment.id, intent);
  try {
    await paymentProvider().cancelIntent(intent.id);
    if (recordedId && recordedId !== intent.id) await paymentProvider().cancelIntent(recordedId);
    return true;
  } catch (error) {
    if (isProviderError(error, "refused")) return false;
    throw error;
  }
}
