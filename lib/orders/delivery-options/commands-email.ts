import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { isDeliveryEmail } from "@/lib/accounts/queries";
import { sendVerificationCode } from "@/lib/accounts/verification/commands";
import { queueMail } from "@/lib/notifications/commands";
import type { UpdateDeliveryEmailInput } from "@/lib/orders/contract";
import { lockOrder } from "@/lib/orders/status/commands";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { isShopError, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";

/**
 * Keys go to the account's own address, or to another that a code has proved (decisions.md, Delivery e-mail).
 * Otherwise the code is sent, and the caller repeats the call once `/auth/email/verify-code` took it.
 * @throws ShopError delivery_email_unverified, too_many_codes; email_unverified when one's own is not proved either
 */
export async function requireDeliverableEmail(viewer: UserViewer, email: string): Promise<void> {
  if (!(await canDeliverTo(viewer, email))) await requestEmailVerification(viewer, email);
}

/** May keys go there already? @throws ShopError email_unverified when no code would help, as one's own is not proved */
export async function canDeliverTo(viewer: UserViewer, email: string): Promise<boolean> {
  if (await isDeliveryEmail(viewer, email)) return true;
  if (!viewer.emailVerified) throw new ShopError("email_unverified");
  return false;
}

/** Mails the code that proves an address, and refuses until it came back. */
export async function requestEmailVerification(viewer: UserViewer, email: string): Promise<never> {
  await sendVerificationCode(viewer, { email, verification_type: "order_email" }).catch((error: unknown) => {
    // A code that is on its way already will do; only too many of them are refused.
    if (!isShopError(error, "code_just_sent")) throw error;
  });
  throw new ShopError("delivery_email_unverified", { params: { email } });
}

/**
 * Changes where an order's keys go, until they are sent; the old address is told (spec §7 `/order/update/email`).
 * @throws ShopError order_unknown, email_unverified, delivery_email_unverified, delivery_frozen
 */
export async function changeDeliveryEmail(
  viewer: UserViewer,
  input: UpdateDeliveryEmailInput,
  locale: Locale,
): Promise<{ order_id: string; send_email: string }> {
  const [owned] = await db.execute<{ id: string; status: string }>(
    sql`select id, status from orders where id = ${input.order_id} and user_id = ${viewer.userId}`,
  );
  if (!owned) throw new ShopError("order_unknown");
  if (await isFrozen(db, owned)) throw new ShopError("delivery_frozen"); // before a code is mailed for nothing
  await requireDeliverableEmail(viewer, input.send_email);
  return db.transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    if (order.sendEmail === input.send_email) return { order_id: order.id, send_email: order.sendEmail };
    if (await isFrozen(tx, order)) throw new ShopError("delivery_frozen");
    await tx.execute(sql`update orders set send_email = ${input.send_email} where id = ${order.id}`);
    await queueMail(tx, {
      event: "email-changed",
      to: order.sendEmail,
      locale,
      refs: { orderId: order.id, address: input.send_email },
      dedupeKey: `email-changed:${newId("chg")}`, // each change is told, also back and forth,
    });
    return { order_id: order.id, send_email: input.send_email };
  });
}

const OPEN = ["pending", "processingPayment", "paid", "processing"];

/** It is over, or some keys went out already, to the address as it is: the rest follow them there. */
async function isFrozen(on: Db, { id, status }: { id: string; status: string }): Promise<boolean> {
  if (!OPEN.includes(status)) return true;
  const mailed = await on.execute(sql`
    select 1 from order_lines l join keys k on k.order_line_id = l.id
    where l.order_id = ${id} and k.mailed_at is not null limit 1`);
  return mailed.length > 0;
}
