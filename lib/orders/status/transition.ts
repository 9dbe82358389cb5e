import { statements, type Tx } from "@/db/client";
import { consumeCoupon, restoreCoupon } from "@/lib/coupons/reserve-coupon";
import { closeWarnings } from "@/lib/orders/fraud/close-warnings";
import { nextStatus, type OrderEvent, type OrderStatus } from "@/lib/orders/rules";
import { recordFirstPayment } from "@/lib/referrals/record-first-payment";
import type { LockedOrder } from "./lock-order";

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
  if (to === "refunded") {
    await restoreCoupon(tx, order.id);
    await closeWarnings(tx, order.id);
  }
  return to;
}

/** Consumes the coupon and records a referral's first payment, in the transaction of the payment. */
async function applyPaymentEffects(tx: Tx, order: LockedOrder): Promise<void> {
  if (order.couponId) await consumeCoupon(tx, order.id);
  if (order.totalCents > 0) await recordFirstPayment(tx, order.userId, order.id);
}
