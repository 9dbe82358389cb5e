import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { queueMail } from "@/lib/notifications/commands";
import { REMIND_MINUTES } from "@/lib/orders/rules";
import { lockOrder } from "@/lib/orders/status/commands";

/**
 * Unpaid orders that are due a reminder, soonest expiry first. Unverified addresses are not emailed before a payment.
 */
export async function findExpiringOrders(limit: number): Promise<{ id: string }[]> {
  return db.execute<{ id: string }>(sql`
    select o.id from orders o join users u on u.id = o.user_id and u.email_verified_at is not null
    where o.status = 'pending' and o.total_cents > 0 and o.hold_ends_at > shop_now()
      and o.hold_ends_at <= shop_now() + make_interval(mins => ${REMIND_MINUTES})
      and not exists (select from mails m where m.dedupe_key = 'expiring:' || o.id)
    order by o.hold_ends_at limit ${limit}`);
}

/** Queues the expiry reminder; does nothing for orders that are paid, being paid, free or expired. */
export async function queueExpiryReminder(orderId: string): Promise<void> {
  await transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.status !== "pending" || order.holdExpired || order.totalCents === 0) return;
    await queueMail(tx, {
      event: "order-expiring",
      to: order.sendEmail,
      locale: order.locale,
      refs: { orderId },
      dedupeKey: `expiring:${orderId}`,
    });
  });
}
