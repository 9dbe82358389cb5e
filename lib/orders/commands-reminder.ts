import { db, type Tx } from "@/db/client";
import type { Locale } from "@/lib/i18n";
import { enqueue } from "@/lib/jobs";
import { queueMail } from "@/lib/notifications/commands";
import { lockOrder } from "./commands-transition";
import { RemindExpiry } from "./contract-jobs";
import { REMIND_MINUTES } from "./rules";

type Placed = { orderId: string; to: string; locale: Locale; holdEndsAt: Date };

/** Tells the buyer of an order that is to be paid, and books the reminder before what it holds goes back. */
export async function tellPlaced(tx: Tx, { orderId, to, locale, holdEndsAt }: Placed): Promise<void> {
  const runAt = new Date(holdEndsAt.getTime() - REMIND_MINUTES * 60_000);
  await Promise.all([
    queueMail(tx, {
      event: "order-placed",
      to,
      locale,
      refs: { orderId },
      dedupeKey: `placed:${orderId}`,
    }),
    enqueue(tx, RemindExpiry, { orderId }, { jobKey: `expiry:${orderId}`, runAt }),
  ]);
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
