import { statements, type Tx } from "@/db/client";
import { consumeCoupon, restoreCoupon } from "@/lib/coupons/commands";
import { nextStatus, type OrderEvent, type OrderStatus } from "@/lib/orders/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { recordFirstPayment } from "@/lib/referrals/commands";

/** The transition table has no such event from this status. */
export class IllegalTransition extends Error {
  constructor(orderId: string, from: OrderStatus, event: OrderEvent) {
    super(`order ${orderId}: no ${event} from ${from}`);
    this.name = "IllegalTransition";
  }
}

export type LockedOrder = {
  id: string;
  userId: string;
  status: OrderStatus;
  sendEmail: string;
  locale: Locale;
  totalCents: number;
  holdExpired: boolean;
  released: boolean;
};

/**
 * Locks an order until the transaction ends. Every change of an order starts here, so that each race has one winner.
 */
export async function lockOrder(tx: Tx, orderId: string, userId?: string): Promise<LockedOrder | null> {
  const [row] = await statements(tx)<LockedOrder[]>`
    select id, user_id as "userId", status, send_email as "sendEmail", locale, total_cents as "totalCents",
      hold_ends_at <= shop_now() as "holdExpired", released_at is not null as released
    from orders where id = ${orderId} and (${userId ?? null}::text is null or user_id = ${userId ?? null})
    for update`;
  return row ?? null;
}

/** Why the step is taken, and the provider's payment behind it. */
type Step = { reason?: string; transactionId?: string };

/**
 * The only writer of an order's status (docs/reliability.md#orders): follows the table and writes the history row and
 * the step's time, in one statement. The order must be locked.
 * @throws IllegalTransition
 */
export async function transition(
  tx: Tx,
  order: LockedOrder,
  event: OrderEvent,
  { reason, transactionId }: Step = {},
): Promise<OrderStatus> {
  const to = nextStatus(order.status, event);
  if (!to) throw new IllegalTransition(order.id, order.status, event);
  await statements(tx)`
    with told as (
      insert into order_events (order_id, from_status, event, to_status, reason)
      values (${order.id}, ${order.status}, ${event}, ${to}, ${reason ?? null}))
    update orders set status = ${to}, transaction_id = coalesce(${transactionId ?? null}, transaction_id),
      paid_at = case when ${to} = 'paid' then coalesce(paid_at, shop_now()) else paid_at end,
      shipped_at = case when ${to} = 'shipped' then shop_now() else shipped_at end,
      cancelled_at = case when ${to} = 'cancelled' then shop_now() else cancelled_at end
    where id = ${order.id}`;
  order.status = to;
  if (to === "paid") await followPayment(tx, order);
  if (to === "refunded") await restoreCoupon(tx, order.id);
  return to;
}

/** Follow-ups of a payment in its transaction: consumes the coupon, records a referral's first payment. */
async function followPayment(tx: Tx, order: LockedOrder): Promise<void> {
  await consumeCoupon(tx, order.id);
  if (order.totalCents > 0) await recordFirstPayment(tx, order.userId, order.id);
}
