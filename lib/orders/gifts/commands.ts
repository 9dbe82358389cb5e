import { eq, type SQL, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { gifts, orderLines } from "@/db/schema/orders";
import { findLastGiftDay, fitKeysToGift, recordKeyEvents } from "@/lib/delivery/commands";
import type { KeyEvent } from "@/lib/delivery/rules";
import { queueMail } from "@/lib/notifications/queue-mail";
import { isWithinMailBudget, takeMailBudget } from "@/lib/notifications/take-mail-budget";
import { findDisputeState } from "@/lib/orders/disputes/queries";
import { queueOrderMail } from "@/lib/orders/emails/commands";
import { enqueueGift } from "@/lib/orders/fulfilment/commands";
import { requireMayKeepUnseen } from "@/lib/orders/returns/queries";
import { isPaid, isPayable } from "@/lib/orders/rules";
import { recordSales } from "@/lib/orders/sales/commands";
import { type LockedOrder, lockOrder } from "@/lib/orders/status/commands";
import { audit } from "@/lib/platform/audit";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { errorMessage } from "@/lib/platform/error-messages";
import { type ErrorName, type ErrorParams, ShopError } from "@/lib/platform/errors";
import { formatDate } from "@/lib/platform/format";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import { log } from "@/lib/platform/log";
import { takeRateLimit } from "@/lib/platform/rate-limit";
import type { GiftClaimed, GiftLinkInput, GiftRemoved, GiftSaved, SaveGiftInput } from "./contract";
import {
  findGift,
  findGiftLink,
  type GiftJson,
  giftLinkState,
  giftToken,
  giftTokenHash,
  isGiftChangeable,
  readGiftView,
} from "./queries";
import {
  GIFT_CLAIM_DAYS,
  GIFT_RESENDS_PER_DAY,
  GIFT_RETRY_MINUTES,
  type GiftLinkState,
  giftSendTime,
  isGiftDay,
  zonedDay,
} from "./rules";

/**
 * Makes an unpaid order a gift, or changes the recipient, date and message of a gift until its email is sent
 * (`/order/gift/save`, docs/product.md#819-gifts). The codes of a gift are never mailed: they lie unseen.
 * @throws ShopError order_unknown, gift_date_wrong (today until 90 days ahead in the giver's time zone), gift_too_late and
 * gift_codes_expire when its codes cannot be redeemed long enough after that day, gift_fixed when the email was sent, or the
 * order was paid as no gift, unseen_returns when its buyer gives too many unseen codes back
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
    if (isPayable(order.status)) await requireMayKeepUnseen(tx, viewer, order.id, ip);
    const [shop] = await tx.execute<{ now: string; orderZone: string | null }>(sql`
      select shop_now() as now, time_zone as "orderZone" from orders where id = ${order.id}`);
    const now = new Date(shop!.now);
    const zone = timeZone ?? shop!.orderZone ?? viewer.timeZone ?? "UTC";
    const deliverOn = input.deliver_on ?? zonedDay(now, zone);
    if (deliverOn !== gift?.deliver_on && !isGiftDay(deliverOn, now, zone))
      throw dateError("gift_date_wrong", locale);
    const choice = {
      recipientEmail: input.recipient_email,
      message: input.message ?? "",
      deliverOn,
      timeZone: zone,
      sendAt: giftSendTime(deliverOn, now, zone),
      locale,
    };
    // A link that could not be delivered is void.
    const unsent = { state: "scheduled", tokenHash: null, sentAt: null, claimUntil: null } as const;
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
    else await enqueueGift(tx, order.id);
    return { order_id: order.id, gift: (await readGiftView(tx, order.id))! };
  });
}

function dateError(error: ErrorName, locale: Locale, params: ErrorParams = {}): ShopError {
  const issue = { path: "deliver_on", message: errorMessage(error, locale, params) };
  return new ShopError(error, { params, issues: [issue] });
}

/** The error of a gift whose codes expire too early; it names the last day on which it can be delivered, unless that is over. */
const lastDayError = (lastDay: string, today: string, locale: Locale): ShopError =>
  lastDay < today
    ? dateError("gift_codes_expire", locale)
    : dateError("gift_too_late", locale, { day: formatDate(`${lastDay}T00:00:00Z`, locale, "UTC") });

/** An unpaid order may become a gift; a paid one stays what it was paid as. */
async function requireChangeable(tx: Tx, order: LockedOrder, gift: GiftJson | null): Promise<void> {
  const isOpen = gift ? isGiftChangeable(gift, order.status) : isPayable(order.status);
  if (!isOpen || order.cancelRequested) throw new ShopError("gift_fixed");
  if (await findDisputeState(tx, order.id)) throw new ShopError("gift_disputed");
}

/**
 * Makes an unpaid order no gift; after the payment, until its email is sent, the codes go to the giver's library
 * (`/order/gift/remove`). They stay unseen unless the giver chooses otherwise. Repeating it changes nothing.
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

const LINK_ERRORS: Record<Exclude<GiftLinkState, "open">, ErrorName> = {
  claimed: "gift_claimed",
  returned: "gift_returned",
  refunded: "gift_refunded",
  disputed: "gift_disputed",
};

/**
 * Sends the email again with a new link; the old one is void (`/order/gift/resend`). The time to claim it stays.
 * @throws ShopError order_unknown, gift_unknown, gift_unsent, gift_claimed, gift_returned, gift_refunded, gift_disputed,
 * too_many_requests
 */
export async function resendGift(
  viewer: UserViewer,
  { order_id }: { order_id: string },
  ip?: string,
): Promise<GiftSaved> {
  return transaction(async (tx) => {
    const order = await lockOrder(tx, order_id, viewer.userId);
    if (!order) throw new ShopError("order_unknown");
    const gift = await findGift(tx, order.id);
    if (!gift) throw new ShopError("gift_unknown");
    if (gift.state === "claimed") throw new ShopError("gift_claimed");
    if (gift.state === "returned" || gift.ended) throw new ShopError("gift_returned");
    if (await findDisputeState(tx, order.id)) throw new ShopError("gift_disputed");
    if (!isPaid(order.status) && !isPayable(order.status)) throw new ShopError("gift_refunded");
    if (gift.state !== "sent") throw new ShopError("gift_unsent");
    if (gift.recipient_email === null) throw new ShopError("gift_fixed");
    const resends = { name: "gift-resend", who: gift.id, limit: GIFT_RESENDS_PER_DAY, seconds: 86_400 };
    await takeRateLimit([resends], { within: tx });
    await takeMailBudget(tx, { userId: viewer.userId, ip }, gift.recipient_email);
    await sendLink(tx, order, { id: gift.id, to: gift.recipient_email }, viewer.userId);
    return { order_id: order.id, gift: (await readGiftView(tx, order.id))! };
  });
}

/** Makes a new link and queues the email with it. The order must be locked. */
async function sendLink(
  tx: Tx,
  order: LockedOrder,
  { id, to }: { id: string; to: string },
  actor: string,
): Promise<void> {
  const [next] = await tx.execute<{ serial: number; locale: string; timeZone: string }>(sql`
    select serial + 1 as serial, locale, time_zone as "timeZone" from gifts where id = ${id}`);
  const { serial, locale, timeZone } = next!;
  await tx
    .update(gifts)
    .set({
      state: "sent",
      serial,
      tokenHash: giftTokenHash(giftToken(id, serial)),
      sentAt: shopNow,
      claimUntil: sql`coalesce(${gifts.claimUntil}, shop_now() + make_interval(days => ${GIFT_CLAIM_DAYS}))`,
    })
    .where(eq(gifts.id, id));
  await recordGiftEvents(tx, order.id, "gift_sent", actor);
  // Without the order's number, because the order is the giver's.
  await queueMail(tx, {
    event: "gift",
    to,
    locale,
    timeZone,
    refs: { giftId: id, serial, orderId: order.id },
    dedupeKey: `gift:${id}:${serial}`,
  });
}

type GiftEvent = Extract<KeyEvent, `gift_${string}`>;

/** Records a custody event for each code that is left of a gift. Returns their ids. */
async function recordGiftEvents(tx: Tx, orderId: string, event: GiftEvent, actor: string): Promise<string[]> {
  const keyIds = await listCodeIds(tx, orderId);
  await recordKeyEvents(tx, keyIds, event, actor);
  return keyIds;
}

/**
 * Claims a gift for the viewer, once (`/gift/claim`, docs/product.md#819-gifts): all of its codes move to the viewer's
 * library, unseen. Repeating it returns the same result.
 * @throws ShopError email_unverified, gift_link_invalid, gift_claimed (by another account), gift_returned, gift_refunded,
 * gift_disputed
 */
export async function claimGift(viewer: UserViewer, { token }: GiftLinkInput): Promise<GiftClaimed> {
  if (!viewer.emailVerified) throw new ShopError("email_unverified");
  return transaction(async (tx) => {
    const found = await findGiftLink(tx, token);
    const order = found && (await lockOrder(tx, found.orderId));
    // Read again, because a claim, a return, a refund or a new link may have come first.
    const gift = order && (await findGiftLink(tx, token));
    if (!gift) throw new ShopError("gift_link_invalid");
    const state = giftLinkState(gift);
    if (state === "open") return storeClaim(tx, gift.orderId, viewer);
    if (state === "claimed" && gift.claimedBy === viewer.userId && gift.claimedAt)
      return {
        claimed_at: instant(gift.claimedAt),
        library_ids: await listCodeIds(tx, gift.orderId),
      };
    throw new ShopError(LINK_ERRORS[state]);
  });
}

async function storeClaim(tx: Tx, orderId: string, viewer: UserViewer): Promise<GiftClaimed> {
  const [claimed] = await tx
    .update(gifts)
    .set({ state: "claimed", claimedBy: viewer.userId, claimedAt: shopNow })
    .where(eq(gifts.orderId, orderId))
    .returning({ at: gifts.claimedAt });
  const keyIds = await recordGiftEvents(tx, orderId, "gift_claimed", viewer.userId);
  // The shop's discount pays a merchant nothing for passes that its own people get.
  await recordSales(tx, orderId, { claimed: true });
  await audit({ actor: viewer.userId, action: "gift_claimed", subject: orderId }, tx);
  return { claimed_at: claimed!.at!.toISOString(), library_ids: keyIds };
}

async function listCodeIds(tx: Tx, orderId: string): Promise<string[]> {
  const rows = await tx.execute<{ id: string }>(sql`
    select k.id from keys k join order_lines l on l.id = k.order_line_id
    where l.order_id = ${orderId} and k.state = 'assigned' order by k.id`);
  return rows.map((row) => row.id);
}

/** Gives an unclaimed gift back to its giver: its codes lie unseen in the giver's library. The order must be locked. */
async function returnGift(tx: Tx, order: LockedOrder, gift: { id: string }, actor: string): Promise<void> {
  await tx.update(gifts).set({ state: "returned", returnedAt: shopNow }).where(eq(gifts.id, gift.id));
  await recordGiftEvents(tx, order.id, "gift_returned", actor);
}

const BATCH = 200;
const RUN_MS = 20_000;

/** SQL: the gift `g` of an order `o` is to be sent, or to be returned. */
const TO_SEND = sql`g.state = 'scheduled' and g.send_at <= shop_now() and o.status in ('shipped', 'completed')`;
const TO_RETURN = sql`g.state = 'sent' and g.claim_until <= shop_now()`;
/** SQL: no dispute of the order is open; a disputed one waits. */
const UNDISPUTED = sql`not exists (select from disputes d where d.order_id = o.id and d.is_open)`;

/**
 * Every minute: sends the gifts whose day has come and whose codes are all delivered, and returns those that nobody
 * claimed in time. A disputed order waits.
 */
export async function deliverGifts(): Promise<void> {
  const deadline = Date.now() + RUN_MS;
  for (const [where, handle] of [
    [TO_SEND, sendDueGift],
    [TO_RETURN, returnOverdueGift],
  ] as const) {
    const rows = await db.execute<{ orderId: string }>(sql`
      select o.id as "orderId" from gifts g join orders o on o.id = g.order_id
      where ${where} and ${UNDISPUTED} order by coalesce(g.claim_until, g.send_at) limit ${BATCH}`);
    for (const { orderId } of rows) {
      if (Date.now() > deadline) return;
      await processGift(orderId, where, handle).catch((error: unknown) =>
        log.warn({ err: error, orderId }, "a gift could not be processed"),
      );
    }
  }
}

/** Sends the gift of an order if it is due. */
export const deliverGift = (orderId: string): Promise<void> => processGift(orderId, TO_SEND, sendDueGift);

type GiftStep = (tx: Tx, order: LockedOrder, gift: GiftJson) => Promise<void>;

/** Does nothing when the gift was changed, claimed, refunded or disputed since it was found. */
async function processGift(orderId: string, where: SQL, handle: GiftStep): Promise<void> {
  await transaction(async (tx) => {
    const order = await lockOrder(tx, orderId);
    const due = await tx.execute(sql`
      select 1 from gifts g join orders o on o.id = g.order_id where o.id = ${orderId} and ${where} and ${UNDISPUTED}`);
    const gift = due.length > 0 ? await findGift(tx, orderId) : null;
    if (order && gift) await handle(tx, order, gift);
  });
}

/** An unpaid gift is deleted this long after its order was cancelled: a late payment may still bring it back until then. */
const ABANDONED_DAYS = 30;

/** Every night: deletes the gifts of cancelled orders, with their recipients' addresses. */
export async function deleteAbandonedGifts(): Promise<void> {
  await db.execute(sql`
    delete from gifts g using orders o where o.id = g.order_id and g.state = 'scheduled' and o.status = 'cancelled'
      and o.cancelled_at < shop_now() - make_interval(days => ${ABANDONED_DAYS})`);
}

/** An email above the limits on emails to unverified addresses waits. */
async function sendDueGift(tx: Tx, order: LockedOrder, gift: GiftJson): Promise<void> {
  const to = gift.recipient_email;
  if (to === null || (await listCodeIds(tx, order.id)).length === 0) return postpone(tx, gift);
  if (!(await isWithinMailBudget(tx, { userId: order.userId }, to))) return postpone(tx, gift);
  await sendLink(tx, order, { id: gift.id, to }, "shop");
}

const postpone = async (tx: Tx, gift: GiftJson): Promise<void> => {
  const sendAt = sql`shop_now() + make_interval(mins => ${GIFT_RETRY_MINUTES})`;
  await tx.update(gifts).set({ sendAt }).where(eq(gifts.id, gift.id));
};

/** Tells the giver, unless nothing is left of the order or its account is deleted. */
async function returnOverdueGift(tx: Tx, order: LockedOrder, gift: GiftJson): Promise<void> {
  await returnGift(tx, order, gift, "shop");
  const [giver] = await tx.execute<{ deleted: boolean }>(sql`
    select deleted_at is not null as deleted from users where id = ${order.userId}`);
  if (!giver?.deleted && (await listCodeIds(tx, order.id)).length > 0)
    await queueOrderMail(tx, order, "gift-returned", { orderId: order.id }, `gift-returned:${gift.id}`);
}
