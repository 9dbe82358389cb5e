import { and, eq, sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { orders } from "@/db/schema/orders";
import type { OrderRef, OrderStatusView } from "@/lib/orders/contract";
import { isPayable, type OrderStatus } from "@/lib/orders/rules";
import { lockOrder, ORDER_VERSION } from "@/lib/orders/status/lock-order";
import { transition } from "@/lib/orders/status/transition";
import type { StaffViewer, UserViewer } from "@/lib/platform/auth/session";
import { countAction } from "@/lib/platform/console/action-limits";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import {
  type ByStaff,
  closeUnpaidOrder,
  recordStaffCancellation,
  requireAsShown,
} from "./close-unpaid-order";

/**
 * Cancels an unpaid order for its owner: cancels the payment at the provider first, then releases the stock
 * (docs/product.md#42-order-status). While the provider is still deciding the payment, the wish is stored and the status
 * stays "processingPayment": the order is cancelled when the payment fails, and refunded if it succeeds.
 * @throws ShopError order_unknown, order_not_cancellable, provider_unavailable
 */
export async function cancelOrder(viewer: UserViewer, input: OrderRef): Promise<OrderStatusView> {
  const owned = await db.$count(orders, and(eq(orders.id, input.order_id), eq(orders.userId, viewer.userId)));
  if (owned === 0) throw new ShopError("order_unknown");
  return cancelUnpaidOrder(input.order_id);
}

/**
 * The same by staff at the request of its owner, who gets an email.
 * @throws ShopError as `cancelOrder`, revision_conflict
 */
export async function cancelOrderByStaff(
  viewer: StaffViewer,
  orderId: string,
  seen: SeenVersion,
): Promise<OrderStatusView> {
  const shown = await transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw new ShopError("order_unknown");
    if (!isPayable(order.status)) throw new ShopError("order_not_cancellable");
    await requireShownRow(tx, seen, { version: ORDER_VERSION, from: sql`orders o where o.id = ${orderId}` });
    return order;
  });
  await countAction(viewer, "order.cancel");
  return cancelUnpaidOrder(orderId, { staffId: viewer.userId, shown });
}

async function cancelUnpaidOrder(orderId: string, byStaff?: ByStaff): Promise<OrderStatusView> {
  const status = await closeUnpaidOrder(orderId, "cancelled", byStaff);
  if (status === "cancelled") return { order_id: orderId, status };
  return { order_id: orderId, status: await requestCancellation(orderId, byStaff) };
}

/**
 * Marks a payment as unwanted that the provider no longer allows to be cancelled: it is processing it, or has captured
 * it and the webhook event has not arrived (docs/decisions/0032-refund-payments-of-cancelled-orders.md).
 * @throws ShopError order_not_cancellable when the order is no longer unpaid
 */
async function requestCancellation(orderId: string, byStaff?: ByStaff): Promise<OrderStatus> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order || !isPayable(order.status)) throw new ShopError("order_not_cancellable");
    requireAsShown(order, byStaff);
    const before = order.status;
    if (order.status === "pending") await transition(tx, order, "payment_started");
    await tx
      .update(orders)
      .set({ cancelRequestedAt: sql`coalesce(${orders.cancelRequestedAt}, shop_now())` })
      .where(eq(orders.id, order.id));
    await recordStaffCancellation(tx, order, before, byStaff);
    return order.status;
  });
}
