import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { orders } from "@/db/schema/orders";
import { REFUNDED_SHOWN_HOURS } from "@/lib/delivery/rules-ticket";
import { REFUND_DAYS } from "@/lib/payments/refunds/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ListOrdersInput, OrderList, OrderView } from "./contract";
import { selectOrders } from "./select-orders";
import { toOrderView } from "./to-order-view";

/** The viewer's orders, newest first (`/order/list`, docs/product.md#75-orders-and-payment). */
export async function listOrders(
  viewer: UserViewer,
  { page, size }: ListOrdersInput,
  locale: Locale,
): Promise<OrderList> {
  const where = sql`o.user_id = ${viewer.userId} and o.hidden_at is null`;
  const newest = sql`order by o.created_at desc, o.id limit ${size} offset ${(page - 1) * size}`;
  const rows = await selectOrders(locale, where, newest);
  const total =
    rows[0]?.total ??
    (page > 1 ? await db.$count(orders, sql`user_id = ${viewer.userId} and hidden_at is null`) : 0);
  return { orders: rows.map((row) => toOrderView(row, locale)), total };
}

/**
 * The viewer's paid orders of which something can still be refunded or is still to be delivered, newest first, at most
 * 100: the library shows their refunds and what is not here yet.
 */
export async function listOpenOrders(viewer: UserViewer, locale: Locale): Promise<OrderView[]> {
  const where = sql`o.user_id = ${viewer.userId} and o.status in ('paid', 'processing', 'shipped', 'completed') and exists (
    select from order_lines open_line where open_line.order_id = o.id and (open_line.state in ('reserved', 'waiting') or exists (
      select from keys k where k.order_line_id = open_line.id and k.state = 'assigned'
        and k.assigned_at > shop_now() - make_interval(days => ${REFUND_DAYS + 1}))))`;
  const rows = await selectOrders(locale, where, sql`order by o.created_at desc, o.id limit 100`);
  return rows.map((row) => toOrderView(row, locale));
}

/** The viewer's orders with a refund of the last hours (REFUNDED_SHOWN_HOURS), newest first: the library still shows their passes. */
export async function listLatelyRefunded(viewer: UserViewer, locale: Locale): Promise<OrderView[]> {
  const where = sql`o.user_id = ${viewer.userId} and o.hidden_at is null and exists (
    select from refunds lately where lately.order_id = o.id and lately.order_line_id is not null
      and lately.updated_at > shop_now() - make_interval(hours => ${REFUNDED_SHOWN_HOURS}))`;
  const rows = await selectOrders(locale, where, sql`order by o.created_at desc, o.id limit 20`);
  return rows.map((row) => toOrderView(row, locale));
}
