import { db, type Tx } from "@/db/client";
import { enqueue } from "@/lib/jobs";
import { queueMail } from "@/lib/notifications/commands";
import { lockOrder } from "./commands-transition";
import { RemindExpiry } from "./contract-jobs";
import { REMIND_MINUTES } from "./rules";

/** Asks, in the transaction that places an order, that its buyer is reminded before what it holds goes back. */
export async function queueExpiryReminder(tx: Tx, orderId: string, holdEndsAt: Date): Promise<void> {
  const runAt = new Date(holdEndsAt.getTime() - REMIND_MINUTES * 60_000);
  await enqueue(tx, RemindExpiry, { orderId }, { jobKey: `expiry:${orderId}`, runAt });
}

/** Reminds the buyer of an order that still waits for them; one that is paid, being paid, free or over needs nothing. */
export async function remindOfExpiry(orderId: string): Promise<void> {
  await db.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.status !== "pending" || order.holdOver || order.totalCents === 0) return;
    await queueMail(tx, {
      event: "order-expiring",
      to: order.sendEmail,
      locale: order.locale,
      refs: { orderId },
      dedupeKey: `expiring:${orderId}`,
    });
  });
}
