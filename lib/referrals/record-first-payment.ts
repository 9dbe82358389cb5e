import { statements, type Tx } from "@/db/client";
import { REFUND_DAYS } from "@/lib/payments/refunds/rules";

/**
 * Starts the waiting time of the reward when an invited friend pays for the first time. An order of less money than the
 * reward does not count; otherwise a friend could pay for the inviter's reward with coupons.
 */
export async function recordFirstPayment(tx: Tx, userId: string, orderId: string): Promise<void> {
  await statements(tx)`
    update referrals r set state = 'pending', order_id = o.id,
      due_at = o.paid_at + make_interval(days => ${REFUND_DAYS})
    from orders o where o.id = ${orderId} and r.friend_id = ${userId} and r.state = 'registered'
      and o.total_cents >= coalesce((select amount_cents from campaigns where id = 'inviter'), 0)`;
}
