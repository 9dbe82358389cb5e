import { statements, type Tx } from "@/db/client";
import type { PricedCartLine } from "@/lib/cart/queries";
import { STOCK_DEADLINE_HOURS } from "@/lib/delivery/rules";
import { REFUND_DAYS, refundDecision } from "@/lib/payments/refunds/rules";
import type { Locale } from "@/lib/platform/i18n/locales";

export type PricedOrderLine = PricedCartLine & {
  lineId: string;
  /** position in the cart, from 0 */
  position: number;
  dealId: string | null;
  unitPriceCents: number;
  /** The line's share of the order's discount. */
  discountCents: number;
};

/** The order's sums, in cents. */
export type OrderTotals = {
  subtotalCents: number;
  discountCents: number;
  totalCents: number;
  couponId: string | null;
};

export type NewOrder = OrderTotals & {
  id: string;
  userId: string;
  sendEmail: string;
  locale: Locale;
  /** the transaction's time */
  now: Date;
  holdEndsAt: Date;
};

/**
 * Writes an order with its lines and first history entry, and removes the lines from the cart, in one statement.
 * Returns whether paid orders wait for the same plans. The arrays are selected, because Postgres replans the
 * statement each time when they are parameters (docs/performance.md#prepared-statements).
 */
export async function writeOrder(tx: Tx, order: NewOrder, lines: PricedOrderLine[]): Promise<boolean> {
  const rows = lines.map((line) => rowOf(line, order.now));
  const [row] = await statements(tx)<{ awaited: boolean }[]>`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as l(id text, cart_id text, product_id int,
        plan_id int, position int, quantity int, unit_price_cents int, discount_cents int, total_cents int,
        pass_type text, duration_days int, deal_id text, pre_order boolean, refund_rule jsonb, deliver_by timestamptz)
    ), made as (
      insert into orders (id, user_id, send_email, locale, subtotal_cents, discount_cents, total_cents, coupon_id,
        hold_ends_at)
      values (${order.id}, ${order.userId}, ${order.sendEmail}, ${order.locale}, ${order.subtotalCents},
        ${order.discountCents}, ${order.totalCents}, ${order.couponId}, ${order.holdEndsAt.toISOString()}::timestamptz)
    ), lined as (
      insert into order_lines (id, order_id, product_id, plan_id, position, quantity, unit_price_cents, discount_cents,
        total_cents, pass_type, duration_days, deal_id, pre_order, refund_rule, state, deliver_by)
      select id, ${order.id}, product_id, plan_id, position, quantity, unit_price_cents, discount_cents,
        total_cents, pass_type, duration_days, deal_id, pre_order, refund_rule, 'reserved', deliver_by from given
    ), told as (
      insert into order_events (order_id, event, to_status) values (${order.id}, 'created', 'pending')
    ), emptied as (
      delete from cart_lines where id = any(array(select cart_id from given)))
    select exists (select from order_lines
      where state = 'waiting' and plan_id = any(array(select plan_id from given where not pre_order))) as awaited`;
  return row!.awaited;
}

function rowOf(line: PricedOrderLine, now: Date) {
  const totalCents = line.unitPriceCents * line.quantity - line.discountCents;
  const { refundable, reason } = refundDecision(
    {
      durationDays: line.durationDays,
      paidCents: totalCents,
      limitedTime: line.dealId !== null,
      paidAt: null,
      redemption: "unknown",
    },
    now,
  );
  // A pre-order's deadline counts from its release.
  const deliverBy =
    line.preOrder && line.releasesAt
      ? new Date(line.releasesAt.getTime() + STOCK_DEADLINE_HOURS * 3_600_000)
      : null;
  return {
    id: line.lineId,
    cart_id: line.cartId,
    product_id: line.productId,
    plan_id: line.planId,
    position: line.position,
    quantity: line.quantity,
    unit_price_cents: line.unitPriceCents,
    discount_cents: line.discountCents,
    total_cents: totalCents,
    pass_type: line.passType,
    duration_days: line.durationDays,
    deal_id: line.dealId,
    pre_order: line.preOrder,
    refund_rule: { days: REFUND_DAYS, refundable, reason },
    deliver_by: deliverBy?.toISOString() ?? null,
  };
}
