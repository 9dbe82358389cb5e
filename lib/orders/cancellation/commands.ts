import { and, eq, isNull, ne, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { deals } from "@/db/schema/catalog";
import { orderLines, orders, purchaseClaims } from "@/db/schema/orders";
import { payments } from "@/db/schema/payments";
import { releaseCoupon } from "@/lib/coupons/commands";
import { releaseReservedKeys } from "@/lib/delivery/commands";
import type { OrderRef, OrderStatusView } from "@/lib/orders/contract";
import { isBuyerVerified, queueOrderMail } from "@/lib/orders/emails/commands";
import { enqueueAssignWaiting } from "@/lib/orders/fulfilment/commands";
import { isRefundOpen, type RefundFacts, selectRefunds } from "@/lib/orders/refunds/queries";
import {
  HELD_MAIL_MINUTES,
  isDeletable,
  isPayable,
  type OrderStatus,
  REMIND_MINUTES,
} from "@/lib/orders/rules";
import { type LockedOrder, lockOrder, transition } from "@/lib/orders/status/commands";
import { ORDER_VERSION } from "@/lib/orders/status/queries";
import { closePayments } from "@/lib/payments/commands";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer, UserViewer } from "@/lib/platform/auth/session";
import { countAction } from "@/lib/platform/console/action-limits";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";

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

/** The staff member who cancels an order, and the order as it was shown. */
type ByStaff = { staffId: string; shown: LockedOrder };

async function cancelUnpaidOrder(orderId: string, byStaff?: ByStaff): Promise<OrderStatusView> {
  const status = await closeUnpaidOrder(orderId, "cancelled", byStaff);
  if (status === "cancelled") return { order_id: orderId, status };
  return { order_id: orderId, status: await requestCancellation(orderId, byStaff) };
}

/**
 * Refuses to cancel a locked order that has changed since staff were shown it, while its payments were being closed. Closing the
 * payment that was running makes it pending, which is no change by others.
 * @throws ShopError revision_conflict
 */
function requireAsShown(order: LockedOrder, byStaff?: ByStaff): void {
  if (!byStaff) return;
  const { status, cancelRequested } = byStaff.shown;
  const isSame = order.status === status || order.status === "pending";
  if (!isSame || order.cancelRequested !== cancelRequested) throw new ShopError("revision_conflict");
}

/** Staff cancelled the order: writes the entry of the audit log, and queues the email to its buyer, once an order. */
async function recordStaffCancellation(tx: Tx, order: LockedOrder, before: OrderStatus, byStaff?: ByStaff) {
  if (!byStaff) return;
  const detail = { before: { status: before }, after: { status: order.status } };
  await audit({ actor: byStaff.staffId, action: "order.cancelled", subject: order.id, detail }, tx);
  if (!(await isBuyerVerified(tx, order.userId))) return;
  const refs = { orderId: order.id, ...(order.status !== "cancelled" && { paymentOpen: 1 }) };
  await queueOrderMail(tx, order, "order-cancelled", refs, `cancelled:${order.id}`);
}

/**
 * Stores that a payment is unwanted which the provider no longer lets be cancelled: it decides on it, or has taken it and
 * its webhook event has not arrived (docs/decisions/0032-refund-payments-of-cancelled-orders.md).
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

/** Cancels the orders whose buyers cancelled during a payment that has failed since. */
export const cancelRequestedOrder = (orderId: string): Promise<OrderStatus> =>
  closeUnpaidOrder(orderId, "cancelled");

/** Expires an order whose hold has ended; leaves it when a payment can still succeed. */
export const expireOrder = (orderId: string): Promise<OrderStatus> => closeUnpaidOrder(orderId, "expired");

/** Closes the payments, then the order; retries when a payment was opened in between. Returns the resulting status. */
async function closeUnpaidOrder(
  orderId: string,
  event: "cancelled" | "expired",
  byStaff?: ByStaff,
): Promise<OrderStatus> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const status = await readStatus(orderId);
    if (!isPayable(status)) return status;
    if ((await closePayments(orderId)) === "may_still_succeed") return readStatus(orderId);
    const closed = await transaction(async (tx) => {
      const order = await lockOrder(tx, orderId);
      if (!order || !isPayable(order.status)) return order?.status ?? status;
      if (event === "expired" && !order.holdExpired) return order.status;
      const livePayments = and(eq(payments.orderId, orderId), ne(payments.state, "canceled"));
      if ((await tx.$count(payments, livePayments)) > 0) return null;
      requireAsShown(order, byStaff);
      const before = order.status;
      await transition(tx, order, event);
      // A payment that arrives later is refunded, because its buyer no longer wants the order.
      if (event === "cancelled")
        await tx
          .update(orders)
          .set({ cancelRequestedAt: sql`coalesce(${orders.cancelRequestedAt}, shop_now())` })
          .where(eq(orders.id, order.id));
      await releaseOrder(tx, order);
      await recordStaffCancellation(tx, order, before, byStaff);
      return order.status;
    });
    if (closed) return closed;
  }
  return readStatus(orderId);
}

/** @throws ShopError order_unknown */
export async function readStatus(orderId: string): Promise<OrderStatus> {
  const [row] = await db.select({ status: orders.status }).from(orders).where(eq(orders.id, orderId));
  if (!row) throw new ShopError("order_unknown");
  return row.status;
}

/** Releases what an order held: keys, deal units, purchase claims, coupon. Runs once per order. */
export async function releaseOrder(tx: Tx, order: LockedOrder): Promise<void> {
  const released = await tx
    .update(orders)
    .set({ releasedAt: shopNow })
    .where(and(eq(orders.id, order.id), isNull(orders.releasedAt)))
    .returning({ id: orders.id });
  if (released.length === 0) return;
  const lines = await tx
    .select({ id: orderLines.id, dealId: orderLines.dealId, quantity: orderLines.quantity })
    .from(orderLines)
    .where(eq(orderLines.orderId, order.id))
    .orderBy(orderLines.planId);
  for (const line of lines)
    if (line.dealId)
      await tx
        .update(deals)
        .set({ claimed: sql`${deals.claimed} - ${line.quantity}` })
        .where(eq(deals.id, line.dealId));
  await tx.delete(purchaseClaims).where(eq(purchaseClaims.orderId, order.id));
  await releaseCoupon(tx, order.id);
  const lineIds = lines.map((line) => line.id);
  await releaseReservedKeys(tx, lineIds);
  await tx.update(orderLines).set({ state: "released" }).where(eq(orderLines.orderId, order.id));
  const awaitedPlans = await tx.execute<{ plan_id: number }>(sql`
    select distinct w.plan_id from order_lines l join order_lines w on w.plan_id = l.plan_id and w.state = 'waiting'
    where l.order_id = ${order.id} order by w.plan_id`);
  const planIds = awaitedPlans.map((plan) => plan.plan_id);
  await enqueueAssignWaiting(tx, planIds);
}

/**
 * Hides an order from its owner's list (docs/product.md#42-order-status); the record stays.
 * @throws ShopError order_unknown, order_not_deletable
 */
export async function hideOrder(viewer: UserViewer, input: OrderRef): Promise<{ order_id: string }> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    const [refundFacts] = await tx.execute<RefundFacts>(sql`
      select ${selectRefunds()} from orders o where o.id = ${order.id}`);
    if (!isDeletable(order.status, isRefundOpen(refundFacts!))) throw new ShopError("order_not_deletable");
    await tx
      .update(orders)
      .set({ hiddenAt: sql`coalesce(${orders.hiddenAt}, shop_now())` })
      .where(eq(orders.id, order.id));
    return { order_id: order.id };
  });
}

/** SQL: an unpaid order `o` whose buyer may get an email about it: unverified addresses get none before a payment. */
const MAILED_WHILE_UNPAID = sql`o.status = 'pending' and o.total_cents > 0 and o.hold_ends_at > shop_now()
  and o.cancel_requested_at is null
  and exists (select from users u where u.id = o.user_id and u.email_verified_at is not null)`;

/**
 * Orders that are unpaid for ten minutes and whose buyers were told nothing yet, oldest first
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
