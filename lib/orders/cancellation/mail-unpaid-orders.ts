import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { queueOrderMail } from "@/lib/orders/emails/queue-order-mail";
import { HELD_MAIL_MINUTES, REMIND_MINUTES } from "@/lib/orders/rules";
import { lockOrder } from "@/lib/orders/status/lock-order";

/** SQL: an unpaid order `o` whose buyer may get an email about it: unverified addresses get none before a payment. */
const MAILED_WHILE_UNPAID = sql`o.status = 'pending' and o.total_cents > 0 and o.hold_ends_at > shop_now()
  and o.cancel_requested_at is null
  and exists (select from users u where u.id = o.user_id and u.email_verified_at is not null)`;

/**
 * Orders that have been unpaid for ten minutes and whose buyers were not emailed yet, oldest first
 * (docs/product.md#42-order-status).
 */
export async function findHeldOrders(limit: number): Promise<{ id: string }[]> {
  return db.execute<{ id: string }>(sql`
    select o.id from orders o
    where ${MAILED_WHILE_UNPAID} and o.created_at <= shop_now() - make_interval(mins => ${HELD_MAIL_MINUTES})
      and not exists (select from mails m where m.dedupe_key in ('placed:' || o.id, 'expiring:' || o.id))
    order by o.created_at limit ${limit}`);
}

/** Queues the email of a held order; does nothing for orders that are paid, being paid, free or expired. */
export async function queueHeldMail(orderId: string): Promise<void> {
  await transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.status !== "pending" || order.holdExpired || order.totalCents === 0) return;
    await queueOrderMail(tx, order, "order-placed", { orderId }, `placed:${orderId}`);
  });
}

/** Unpaid orders that are due a reminder, soonest expiry first. */
export async function findExpiringOrders(limit: number): Promise<{ id: string }[]> {
  return db.execute<{ id: string }>(sql`
    select o.id from orders o
    where ${MAILED_WHILE_UNPAID} and o.hold_ends_at <= shop_now() + make_interval(mins => ${REMIND_MINUTES})
      and o.hold_ends_at - o.created_at >= make_interval(mins => ${HELD_MAIL_MINUTES + REMIND_MINUTES})
      and not exists (select from mails m where m.dedupe_key = 'expiring:' || o.id)
    order by o.hold_ends_at limit ${limit}`);
}

/** Queues the expiry reminder; does nothing for orders that are paid, being paid, free or expired. */
export async function queueExpiryReminder(orderId: string): Promise<void> {
  await transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (order?.status !== "pending" || order.holdExpired || order.totalCents === 0) return;
    await queueOrderMail(tx, order, "order-expiring", { orderId }, `expiring:${orderId}`);
  });
}
