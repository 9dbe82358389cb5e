import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import {
  CODE_OWNER_SQL,
  CODE_SEEN_SQL,
  frozenLineSql,
  warnedSql,
} from "@/lib/delivery/library/key-state-sql";
import { takeMailBudget } from "@/lib/notifications/take-mail-budget";
import type { OrderRef } from "@/lib/orders/contract";
import { queueOrderMail } from "@/lib/orders/emails/queue-order-mail";
import type { ResendView } from "@/lib/orders/refunds/contract";
import { RESENDS_PER_HOUR } from "@/lib/orders/rules";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer, UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { takeRateLimit } from "@/lib/platform/rate-limit";

/**
 * The codes of an order that may be mailed again: shown or mailed before to `ownerId`, neither refunded nor locked.
 * @throws ShopError key_unknown when nothing was delivered to the owner, code_unrevealed when no code was seen, key_frozen when
 * everything is locked
 */
async function findResendableKeys(tx: Tx, orderId: string, ownerId: string): Promise<string[]> {
  const keys = await tx.execute<{ id: string; assigned: boolean; seen: boolean; frozen: boolean }>(sql`
    select k.id, k.state = 'assigned' as assigned, ${CODE_SEEN_SQL} as seen, ${frozenLineSql("l")} or ${warnedSql("l.order_id")} as frozen
    from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    where o.id = ${orderId} and ${CODE_OWNER_SQL} = ${ownerId} and k.state in ('assigned', 'quarantined') order by k.id`);
  const seen = keys.filter((key) => key.seen);
  const keyIds = seen.filter((key) => key.assigned && !key.frozen).map(({ id }) => id);
  if (keyIds.length > 0) return keyIds;
  if (seen.length > 0) throw new ShopError("key_frozen");
  throw new ShopError(keys.some((key) => key.assigned) ? "code_unrevealed" : "key_unknown");
}

/** Queues the email of these codes again, at most three times an hour. @throws ShopError too_many_requests */
async function queueResend(tx: Tx, order: LockedOrder, keyIds: string[]): Promise<ResendView> {
  const resends = { name: "order-resend", who: order.id, limit: RESENDS_PER_HOUR, seconds: 3600 };
  await takeRateLimit([resends], { within: tx });
  const refs = { orderId: order.id, keyIds: keyIds.join(","), again: 1 };
  await queueOrderMail(tx, order, "keys", refs, `keys-again:${newId("again")}`);
  return { order_id: order.id, send_email: order.sendEmail, sent: keyIds.length };
}

/**
 * Mails the codes of an order that were shown or mailed before again to the same address, at most three times an hour
 * (`/order/resend`, docs/product.md#75-orders-and-payment). Refunded codes and those with an open refund request are not
 * sent, nor codes of a gift.
 * @throws ShopError order_unknown, key_unknown when nothing was delivered to the buyer, code_unrevealed when no code was seen, key_frozen
 * when everything is locked, too_many_requests
 */
export async function resendKeys(viewer: UserViewer, input: OrderRef, ip?: string): Promise<ResendView> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    const keyIds = await findResendableKeys(tx, order.id, viewer.userId);
    const resent = await queueResend(tx, order, keyIds);
    if (!viewer.emailVerified) await takeMailBudget(tx, { userId: viewer.userId, ip }, order.sendEmail);
    return resent;
  });
}

/**
 * The same by staff for the buyer, to the order's delivery address.
 * @throws ShopError as `resendKeys`
 */
export async function resendKeysByStaff(viewer: StaffViewer, orderId: string): Promise<ResendView> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw new ShopError("order_unknown");
    const keyIds = await findResendableKeys(tx, order.id, order.userId);
    const resent = await queueResend(tx, order, keyIds);
    const detail = { sent: resent.sent, to: resent.send_email };
    await audit({ actor: viewer.userId, action: "order.resent", subject: order.id, detail }, tx);
    return resent;
  });
}
