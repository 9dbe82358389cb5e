import { and, eq, or, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { orderEvents, orders } from "@/db/schema/orders";
import { mustDeliverNow } from "@/lib/orders/returns/must-deliver-now";
import { findOrderTax } from "@/lib/orders/tax/find-order-tax";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { foldOrderNumber } from "@/lib/platform/fold-text";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { OrderDetail } from "./contract";
import { isPayable } from "./rules";
import { selectOrders } from "./select-orders";
import { toOrderView } from "./to-order-view";

/** One of the viewer's orders, by id or number, with its history; null for an unknown order or another user's. */
export async function findOrder(
  viewer: UserViewer,
  orderId: string,
  locale: Locale,
  ip?: string,
): Promise<OrderDetail | null> {
  const where = sql`(o.id = ${orderId} or o.order_number = ${foldOrderNumber(orderId)}) and o.user_id = ${viewer.userId}`;
  const [row] = await selectOrders(locale, where, sql`limit 1`);
  if (!row) return null;
  const events = await db
    .select({ event: orderEvents.event, status: orderEvents.toStatus, at: orderEvents.createdAt })
    .from(orderEvents)
    .where(eq(orderEvents.orderId, row.order_id))
    .orderBy(orderEvents.id);
  const history = events.map((event) => ({ ...event, at: event.at.toISOString() }));
  const immediateOnly = isPayable(row.status) && (await mustDeliverNow(db, viewer, row.order_id, ip));
  const tax = await findOrderTax(row.order_id);
  return { ...toOrderView(row, locale), immediate_only: immediateOnly, tax, history };
}

/**
 * Like `findOrder`, for API calls (`/admin/order/detail`, `/order/detail`, docs/product.md#75-orders-and-payment).
 * @throws ShopError order_unknown
 */
export async function getOrder(
  viewer: UserViewer,
  orderId: string,
  locale: Locale,
  ip?: string,
): Promise<OrderDetail> {
  const order = await findOrder(viewer, orderId, locale, ip);
  if (!order) throw new ShopError("order_unknown");
  return order;
}

/** The id of the order with this number, or the text itself. Tells no one whether an order exists. */
export async function resolveOrderId(idOrNumber: string): Promise<string> {
  const [order] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(eq(orders.orderNumber, foldOrderNumber(idOrNumber)));
  return order?.id ?? idOrNumber.trim();
}

/** The delivery email of one of the viewer's orders; null when there is no such order. */
export async function findOwnOrder(viewer: UserViewer, orderId: string): Promise<{ email: string } | null> {
  const [order] = await db
    .select({ email: orders.sendEmail })
    .from(orders)
    .where(
      and(
        or(eq(orders.id, orderId), eq(orders.orderNumber, foldOrderNumber(orderId))),
        eq(orders.userId, viewer.userId),
      ),
    );
  return order ?? null;
}
