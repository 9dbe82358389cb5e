import { and, eq, ne, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { orders } from "@/db/schema/orders";
import { payments } from "@/db/schema/payments";
import { isBuyerVerified, queueOrderMail } from "@/lib/orders/emails/queue-order-mail";
import { isPayable, type OrderStatus } from "@/lib/orders/rules";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import { transition } from "@/lib/orders/status/transition";
import { closePayments } from "@/lib/payments/close-payments";
import { audit } from "@/lib/platform/audit";
import { ShopError } from "@/lib/platform/errors";
import { releaseOrder } from "./release-order";

/** The staff member who cancels an order, and the order as it was shown. */
export type ByStaff = { staffId: string; shown: LockedOrder };

/**
 * Refuses to cancel a locked order that has changed since staff were shown it, while its payments were being closed.
 * Closing the payment that was running makes it pending, which does not count as a change by others.
 * @throws ShopError revision_conflict
 */
export function requireAsShown(order: LockedOrder, byStaff?: ByStaff): void {
  if (!byStaff) return;
  const { status, cancelRequested } = byStaff.shown;
  const isSame = order.status === status || order.status === "pending";
  if (!isSame || order.cancelRequested !== cancelRequested) throw new ShopError("revision_conflict");
}

/** Staff cancelled the order: writes the entry of the audit log, and queues the email to its buyer, once an order. */
export async function recordStaffCancellation(
  tx: Tx,
  order: LockedOrder,
  before: OrderStatus,
  byStaff?: ByStaff,
) {
  if (!byStaff) return;
  const detail = { before: { status: before }, after: { status: order.status } };
  await audit({ actor: byStaff.staffId, action: "order.cancelled", subject: order.id, detail }, tx);
  if (!(await isBuyerVerified(tx, order.userId))) return;
  const refs = { orderId: order.id, ...(order.status !== "cancelled" && { paymentOpen: 1 }) };
  await queueOrderMail(tx, order, "order-cancelled", refs, `cancelled:${order.id}`);
}

/** Cancels the orders whose buyers cancelled during a payment that has failed since. */
export const cancelRequestedOrder = (orderId: string): Promise<OrderStatus> =>
  closeUnpaidOrder(orderId, "cancelled");

/** Expires an order whose hold has ended; leaves it when a payment can still succeed. */
export const expireOrder = (orderId: string): Promise<OrderStatus> => closeUnpaidOrder(orderId, "expired");

/** Closes the payments, then the order; retries when a payment was opened in between. Returns the resulting status. */
export async function closeUnpaidOrder(
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
