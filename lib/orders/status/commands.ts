import { sql } from "drizzle-orm";
import { statements, type Tx } from "@/db/client";
import type { orders } from "@/db/schema/orders";
import { consumeCoupon, restoreCoupon } from "@/lib/coupons/commands";
import { nextStatus, type OrderEvent, type OrderStatus } from "@/lib/orders/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { recordFirstPayment } from "@/lib/referrals/record-first-payment";

type OrderColumns = Pick<typeof orders.$inferSelect, "id" | "userId" | "status" | "sendEmail" | "totalCents">;
/** `cancelRequested`: its buyer cancelled it, or tried to while a payment was running. */
export type LockedOrder = OrderColumns & { locale: Locale; holdExpired: boolean; cancelRequested: boolean };

/**
 * Locks an order until the transaction ends. Every change of an order starts here, so that each race has one winner.
 */
export async function lockOrder(tx: Tx, orderId: string, userId?: string): Promise<LockedOrder | null> {
  const [order] = await tx.execute<LockedOrder>(sql`
    select id, user_id as "userId", status, send_email as "sendEmail", locale, total_cents as "totalCents",
      hold_ends_at <= shop_now() as "holdExpired", cancel_requested_at is not null as "cancelRequested"
    from orders where id = ${orderId} and user_id = coalesce(${userId ?? null}, user_id) for update`);
  return order ?? null;
}

/** `transactionId`: the provider's payment. */
type TransitionDetails = { reason?: string; transactionId?: string };

/**
 * The only writer of an order's status (docs/reliability.md#orders): follows the transition table and writes the
 * history row and the time of the new status, in one statement. The order must be locked. Throws when the table has no
 * such transition.
 */
export async function transition(
  tx: Tx,
  order: LockedOrder,
  event: OrderEvent,
  { reason, transactionId }: TransitionDetails = {},
): Promise<OrderStatus> {
  const to = nextStatus(order.status, event);
  if (!to) throw new Error(`order ${order.id}: no ${event} from ${order.status}`);
  await statements(tx)`
    with event as (
      insert into order_events (order_id, from_status, event, to_status, reason)
      values (${order.id}, ${order.status}, ${event}, ${to}, ${reason ?? null}))
    update orders set status = ${to}, transaction_id = coalesce(${transactionId ?? null}, transaction_id),
      paid_at = case when ${to} = 'paid' then coalesce(paid_at, shop_now()) else paid_at end,
      shipped_at = case when ${to} = 'shipped' then coalesce(shipped_at, shop_now()) else shipped_at end,
      cancelled_at = case when ${to} = 'cancelled' then shop_now() else cancelled_at end
    where id = ${order.id}`;
  order.status = to;
  if (to === "paid") await applyPaymentEffects(tx, order);
  if (to === "refunded") await restoreCoupon(tx, order.id);
  return to;
}

/** Consumes the coupon and records a referral's first payment, in the transaction of the payment. */
async function applyPaymentEffects(tx: Tx, order: LockedOrder): Promise<void> {
  await consumeCoupon(tx, order.id);
  if (order.totalCents > 0) await recordFirstPayment(tx, order.userId, order.id);
}
