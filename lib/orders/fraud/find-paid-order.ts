import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { payments } from "@/db/schema/payments";
import { settlePayment } from "@/lib/orders/payment/settle-payment";

/**
 * The order of an intent that the provider says is paid; null for one that is not the shop's. Settles the payment where its event
 * was lost or comes later.
 */
export async function findPaidOrder(intentId: string): Promise<string | null> {
  const find = () =>
    db
      .select({ orderId: payments.orderId, state: payments.state })
      .from(payments)
      .where(eq(payments.intentId, intentId));
  let [payment] = await find();
  if (payment?.state !== "succeeded") {
    await settlePayment(intentId);
    [payment] = await find();
  }
  return payment?.orderId ?? null;
}
