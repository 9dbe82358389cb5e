import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { gifts, orderLines } from "@/db/schema/orders";
import { findLastGiftDay, fitKeysToGift } from "@/lib/delivery/fit-keys-to-gift";
import { isOnHold } from "@/lib/orders/disputes/is-on-hold";
import { enqueueGift } from "@/lib/orders/fulfilment/enqueue-assign";
import { requireMayKeepUnrevealed } from "@/lib/orders/returns/must-deliver-now";
import { isPayable } from "@/lib/orders/rules";
import { recordSales } from "@/lib/orders/sales/record-sales";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/lock-order";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { errorMessage } from "@/lib/platform/error-messages";
import { type ErrorName, type ErrorParams, ShopError } from "@/lib/platform/errors";
import { formatDate } from "@/lib/platform/format";
import type { Locale } from "@/lib/platform/i18n/locales";
import { zonedDay } from "@/lib/platform/zoned-day";
import type { GiftRemoved, GiftSaved, SaveGiftInput } from "./contract";
import { findGift, type GiftJson, isGiftChangeable, readGiftView } from "./find-gift";
import { recordGiftEvents } from "./record-gift-events";
import { giftSendTime, isGiftDay } from "./rules";

/**
 * Makes an unpaid order a gift, or changes the recipient, date and message of a gift until its email is sent
 * (`/order/gift/save`, docs/product.md#819-gifts). The codes of a gift are never mailed: they stay unrevealed.
 * @throws ShopError order_unknown, gift_date_wrong (today until 90 days ahead in the giver's time zone), gift_too_late
 * and gift_codes_expire when its codes cannot be redeemed long enough after that day, gift_fixed when the email was
 * sent, or the order was paid without a gift, gift_from_free, unrevealed_returns when its buyer has returned too many unrevealed codes
 */
export async function saveGift(
  viewer: UserViewer,
  input: SaveGiftInput,
  locale: Locale,
  timeZone: string | null,
  ip?: string,
): Promise<GiftSaved> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, input.order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    const gift = await findGift(tx, order.id);
    await requireChangeable(tx, order, gift);
    if (isPayable(order.status)) await requireMayKeepUnrevealed(tx, viewer, order.id, ip);
    const [shop] = await tx.execute<{ now: string; orderZone: string | null }>(sql`
      select shop_now() as now, time_zone as "orderZone" from orders where id = ${order.id}`);
    const now = new Date(shop!.now);
    // A free pass costs its sender nothing, so that names in such emails would be free too.
    if (input.from_name && order.totalCents === 0)
      throw new ShopError("gift_from_free", {
        issues: [{ path: "from_name", message: errorMessage("gift_from_free", locale) }],
      });
    const zone = timeZone ?? shop!.orderZone ?? viewer.timeZone ?? "UTC";
    const deliverOn = input.deliver_on ?? zonedDay(now, zone);
    if (deliverOn !== gift?.deliver_on && !isGiftDay(deliverOn, now, zone))
      throw dateError("gift_date_wrong", locale);
    const choice = {
      recipientEmail: input.recipient_email,
      message: input.message ?? "",
      fromName: input.from_name || null,
      deliverOn,
      timeZone: zone,
      sendAt: giftSendTime(deliverOn, now, zone),
      locale,
    };
    // A link that could not be delivered is void.
    const unsent = {
      state: "scheduled",
      tokenHash: null,
      proofHash: null,
      proofUntil: null,
      sentAt: null,
      claimUntil: null,
    } as const;
    await tx
      .insert(gifts)
      .values({ id: newId("gift"), orderId: order.id, ...choice })
      .onConflictDoUpdate({ target: gifts.orderId, set: { ...choice, ...unsent } });
    if (!gift || deliverOn > gift.deliver_on) {
      const lastDay = isPayable(order.status)
        ? await fitKeysToGift(tx, order.id)
        : await findLastGiftDay(tx, order.id);
      if (lastDay !== null && lastDay < deliverOn) throw lastDayError(lastDay, zonedDay(now, zone), locale);
    }
    if (isPayable(order.status))
      await tx
        .update(orderLines)
        .set({ immediateDelivery: false, immediateConsentAt: null, consent: null })
        .where(eq(orderLines.orderId, order.id));
    else {
      await enqueueGift(tx, order.id);
      await recordSales(tx, order.id); // paid out after the last day to claim
    }
    return { order_id: order.id, gift: (await readGiftView(tx, order.id))! };
  });
}

function dateError(error: ErrorName, locale: Locale, params: ErrorParams = {}): ShopError {
  const issue = { path: "deliver_on", message: errorMessage(error, locale, params) };
  return new ShopError(error, { params, issues: [issue] });
}

/**
 * The error of a gift whose codes expire too early; it names the last day on which it can be delivered, unless that has
 * passed.
 */
const lastDayError = (lastDay: string, today: string, locale: Locale): ShopError =>
  lastDay < today
    ? dateError("gift_codes_expire", locale)
    : dateError("gift_too_late", locale, { day: formatDate(`${lastDay}T00:00:00Z`, locale, "UTC") });

/** An unpaid order may become a gift; a paid one cannot change. */
async function requireChangeable(tx: Tx, order: LockedOrder, gift: GiftJson | null): Promise<void> {
  const isOpen = gift ? isGiftChangeable(gift, order.status) : isPayable(order.status);
  if (!isOpen || order.cancelRequested) throw new ShopError("gift_fixed");
  if (await isOnHold(tx, order.id)) throw new ShopError("gift_disputed");
}

/**
 * Removes the gift from an unpaid order; after the payment, until its email is sent, the codes go to the giver's
 * library (`/order/gift/remove`). They stay unrevealed unless the giver chooses otherwise. Repeating it changes
 * nothing.
 * @throws ShopError order_unknown, gift_fixed
 */
export async function removeGift(
  viewer: UserViewer,
  { order_id }: { order_id: string },
): Promise<GiftRemoved> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    const gift = await findGift(tx, order.id);
    if (gift && gift.state !== "returned") {
      await requireChangeable(tx, order, gift);
      if (isPayable(order.status)) await tx.delete(gifts).where(eq(gifts.id, gift.id));
      else await returnGift(tx, order, gift, viewer.userId);
    }
    return { order_id: order.id, gift: await readGiftView(tx, order.id) };
  });
}

/** Returns an unclaimed gift to its giver: its codes stay unrevealed in the giver's library. The order must be locked. */
export async function returnGift(
  tx: Tx,
  order: LockedOrder,
  gift: { id: string },
  actor: string,
): Promise<void> {
  await tx.update(gifts).set({ state: "returned", returnedAt: shopNow }).where(eq(gifts.id, gift.id));
  await recordGiftEvents(tx, order.id, "gift_returned", actor);
  await recordSales(tx, order.id);
}
