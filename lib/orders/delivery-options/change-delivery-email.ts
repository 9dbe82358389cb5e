import { and, eq, sql } from "drizzle-orm";
import { type Db, db, transaction } from "@/db/client";
import { orders } from "@/db/schema/orders";
import { queueMail } from "@/lib/notifications/queue-mail";
import { readdressQueuedMails } from "@/lib/notifications/readdress-queued-mails";
import type { UpdateDeliveryEmailInput } from "@/lib/orders/contract";
import { lockOrder } from "@/lib/orders/status/lock-order";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { requireDeliverableEmail } from "./verify-delivery-email";

/**
 * Changes the delivery email of an order until its keys are sent, also of emails that wait, and notifies the old address
 * (`/order/update/email`, docs/product.md#75-orders-and-payment).
 * @throws ShopError order_unknown, email_unverified, delivery_email_unverified, delivery_frozen,
 * delivery_order_cancelled, too_many_codes
 */
export async function changeDeliveryEmail(
  viewer: UserViewer,
  input: UpdateDeliveryEmailInput,
  locale: Locale,
  ip?: string,
): Promise<{ order_id: string; send_email: string }> {
  const [owned] = await db
    .select({ id: orders.id, status: orders.status })
    .from(orders)
    .where(and(eq(orders.id, input.order_id), eq(orders.userId, viewer.userId)));
  if (!owned) throw new ShopError("order_unknown");
  if (await isDeliveryFrozen(db, owned)) throw frozenError(owned); // before a useless code is mailed
  await requireDeliverableEmail(viewer, input.send_email, ip);
  return transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    if (order.sendEmail === input.send_email) return { order_id: order.id, send_email: order.sendEmail };
    if (await isDeliveryFrozen(tx, order)) throw frozenError(order);
    await tx.update(orders).set({ sendEmail: input.send_email }).where(eq(orders.id, order.id));
    await readdressQueuedMails(tx, { orderId: order.id, from: order.sendEmail, to: input.send_email });
    await queueMail(tx, {
      event: "email-changed",
      orderId: order.id,
      to: order.sendEmail,
      locale,
      refs: { orderId: order.id, address: input.send_email },
      dedupeKey: `email-changed:${newId("chg")}`, // every change sends an email
    });
    return { order_id: order.id, send_email: input.send_email };
  });
}

export const frozenError = ({ status }: { status: string }) =>
  new ShopError(status === "cancelled" ? "delivery_order_cancelled" : "delivery_frozen");

const UNDELIVERED_STATUSES = ["pending", "processingPayment", "paid", "processing"];

/** Whether the order is closed or some of its keys were mailed: the rest then go to the same address. */
async function isDeliveryFrozen(tx: Db, { id, status }: { id: string; status: string }): Promise<boolean> {
  if (!UNDELIVERED_STATUSES.includes(status)) return true;
  const mailed = await tx.execute(sql`
    select 1 from order_lines l join keys k on k.order_line_id = l.id
    where l.order_id = ${id} and k.mailed_at is not null limit 1`);
  return mailed.length > 0;
}
