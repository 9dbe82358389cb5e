import { statements, type Tx } from "@/db/client";
import type { orders } from "@/db/schema/orders";
import { preOrderDeadline } from "@/lib/delivery/rules";
import { REFUND_DAYS, refundBeforePayment } from "@/lib/payments/refunds/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { Hold } from "./check-hold-limits";
import type { OrderTotals, PricedOrderLine } from "./price-lines";

export type Placement = { order: NewOrder; lines: PricedOrderLine[]; hold: Hold };

type OrderColumns = Pick<
  typeof orders.$inferSelect,
  "id" | "userId" | "sendEmail" | "holdEndsAt" | "attribution"
>;
export type NewOrder = OrderTotals & OrderColumns & { locale: Locale; timeZone: string | null; now: Date };

/**
 * Writes an order with its lines, hold and first history entry, and removes the lines from the cart, in one statement.
 * The country is the one that the buyer named before, else that of the default billing address. Returns the order's number
 * and whether paid orders wait for the same plans. The ids come from subselects, because Postgres replans the
 * statement each time when they are array parameters (docs/performance.md#prepared-statements).
 */
export async function writeOrder(tx: Tx, { order, lines, hold }: Placement) {
  const rows = lines.map((line) => toLineRow(line, order.now));
  const [row] = await statements(tx)<{ order_number: string; has_waiting_orders: boolean }[]>`
    with input as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as l("lineId" text, "cartId" text, "productId" int,
        "planId" int, position int, quantity int, "unitPriceCents" int, "discountCents" int, "totalCents" int, "passType" text,
        "durationDays" int, "dealId" text, "preOrder" boolean, "refundRule" jsonb, "deliverBy" timestamptz)
    ), new_order as (
      insert into orders (id, user_id, send_email, locale, time_zone, country, subtotal_cents, discount_cents, total_cents,
        coupon_id, attribution, hold_ends_at)
      values (${order.id}, ${order.userId}, ${order.sendEmail}, ${order.locale}, ${order.timeZone},
        coalesce((select country from users where id = ${order.userId}),
          (select country from billing_addresses where user_id = ${order.userId} and is_default)), ${order.subtotalCents},
        ${order.discountCents}, ${order.totalCents}, ${order.couponId},
        ${order.attribution && JSON.stringify(order.attribution)}::jsonb, ${order.holdEndsAt.toISOString()}::timestamptz)
      returning order_number
    ), new_lines as (
      insert into order_lines (id, order_id, product_id, plan_id, position, quantity, unit_price_cents, discount_cents,
        total_cents, pass_type, duration_days, deal_id, pre_order, refund_rule, state, deliver_by, cart_at, cart_source)
      select "lineId", ${order.id}, "productId", "planId", position, quantity, "unitPriceCents", "discountCents",
        "totalCents", "passType", "durationDays", "dealId", "preOrder", "refundRule", 'reserved', "deliverBy",
        (select created_at from cart_lines where id = "cartId"), (select source from cart_lines where id = "cartId") from input
    ), new_hold as (
      insert into order_holds (order_id, email_identity, email_verified, device, address_group, further)
      values (${order.id}, ${hold.emailIdentity}, ${hold.emailVerified}, ${hold.device}, ${hold.addressGroup},
        ${hold.further})
    ), new_event as (
      insert into order_events (order_id, event, to_status) values (${order.id}, 'created', 'pending')
    ), emptied_cart as (
      delete from cart_lines where id = any(array(select "cartId" from input)))
    select (select order_number from new_order), exists (select from order_lines
      where state = 'waiting' and plan_id = any(array(select "planId" from input where not "preOrder"))) as has_waiting_orders`;
  return { orderNumber: row!.order_number, hasWaitingOrders: row!.has_waiting_orders };
}

function toLineRow(line: PricedOrderLine, now: Date) {
  const totalCents = line.unitPriceCents * line.quantity - line.discountCents;
  const limitedTime = line.dealId !== null;
  // The rule of the delivered pass; before its delivery a pre-order can be cancelled anyway.
  const pass = { ...line, preOrder: false, paidCents: totalCents, limitedTime };
  const { refundable, reason } = refundBeforePayment(pass, now);
  // A pre-order's deadline counts from its release.
  const deliverBy = line.preOrder && line.releasesAt ? preOrderDeadline(line.releasesAt) : null;
  return { ...line, totalCents, refundRule: { days: REFUND_DAYS, refundable, reason }, deliverBy };
}
