import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { productImagePath } from "@/lib/catalog/rules";
import { type DisputeState, disputeStateSql } from "@/lib/orders/disputes/queries";
import { readOrderLines, toPassLine } from "@/lib/orders/emails/queries";
import { isPaid, isPayable, type OrderStatus } from "@/lib/orders/rules";
import type { Viewer } from "@/lib/platform/auth/session";
import { hmac } from "@/lib/platform/crypto/hmac";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { instant } from "@/lib/platform/instant";
import type { GiftLinkView, GiftView, GivenGift } from "./contract";
import type { GiftLinkState, GiftState } from "./rules";

/**
 * The token of a gift's link. It is derived, so that a repeated email has the same link, although only its hash is stored
 * (docs/decisions/0033-derive-a-gift-link-and-store-its-hash.md).
 */
export const giftToken = (giftId: string, serial: number): string =>
  hmac("gift-link", `token:${giftId}:${serial}`);

export const giftTokenHash = (token: string): string => hmac("gift-link", `hash:${token}`);

/** A gift as read from the database. */
export type GiftJson = {
  id: string;
  state: GiftState;
  recipient_email: string | null;
  deliver_on: string;
  message: string;
  sent_at: string | null;
  email_failed: boolean;
  claim_until: string | null;
  /** the time to claim it is over */
  ended: boolean;
  claimed_at: string | null;
  returned_at: string | null;
};

/** SQL: the gift of an order `o` as JSON (`GiftJson`); null when the order is no gift. */
export const selectGift = () => sql`
  (select json_build_object('id', g.id, 'state', g.state, 'recipient_email', g.recipient_email, 'deliver_on', g.deliver_on,
    'message', g.message, 'sent_at', g.sent_at, 'email_failed', exists (
      select from mails m where m.dedupe_key = 'gift:' || g.id || ':' || g.serial and m.state = 'failed'),
    'claim_until', g.claim_until, 'ended', g.claim_until is not null and g.claim_until <= shop_now(), 'claimed_at', g.claimed_at, 'returned_at', g.returned_at)
  from gifts g where g.order_id = o.id)`;

/** What its giver may still do with a gift. */
export const isGiftChangeable = (
  gift: Pick<GiftJson, "state" | "email_failed">,
  status: OrderStatus,
): boolean => isPayable(status) || (isPaid(status) && (gift.state === "scheduled" || isUndelivered(gift)));

/** The email with the link could not be delivered, so that nobody has the link. */
const isUndelivered = (gift: Pick<GiftJson, "state" | "email_failed">) =>
  gift.state === "sent" && gift.email_failed;

export const toGiftView = (
  gift: GiftJson,
  { status, disputed }: { status: OrderStatus; disputed: boolean },
): GiftView => ({
  state: gift.state,
  recipient_email: gift.recipient_email,
  deliver_on: gift.deliver_on,
  message: gift.message,
  sent_at: instant(gift.sent_at),
  email_failed: isUndelivered(gift),
  claim_until: instant(gift.claim_until),
  claimed_at: instant(gift.claimed_at),
  returned_at: instant(gift.returned_at),
  can_change: isGiftChangeable(gift, status) && !disputed,
  can_resend:
    gift.state === "sent" && !gift.ended && gift.recipient_email !== null && isPaid(status) && !disputed,
});

/** The gift of an order; null when the order is no gift. Final when the transaction has locked the order. */
export async function findGift(tx: Db, orderId: string): Promise<GiftJson | null> {
  const [row] = await tx.execute<{ gift: GiftJson | null }>(sql`
    select ${selectGift()} as gift from orders o where o.id = ${orderId}`);
  return row?.gift ?? null;
}

/** The view of an order's gift after a change of the locked order. */
export async function readGiftView(tx: Db, orderId: string): Promise<GiftView | null> {
  const [row] = await tx.execute<{ gift: GiftJson | null; status: OrderStatus; disputed: boolean }>(sql`
    select ${selectGift()} as gift, o.status, ${disputeStateSql("o")} is not null as disputed from orders o where o.id = ${orderId}`);
  return row?.gift ? toGiftView(row.gift, row) : null;
}

type LinkRow = {
  orderId: string;
  state: GiftState;
  /** the time to claim it is over */
  ended: boolean;
  claimedBy: string | null;
  claimedAt: string | null;
  claimUntil: string | null;
  message: string;
  disputed: boolean;
  /** codes that are left to give */
  codes: number;
};

/** The gift of a valid link; null for an unknown token, also for one that a newer link has replaced. */
export async function findGiftLink(tx: Db, token: string): Promise<LinkRow | null> {
  const [row] = await tx.execute<LinkRow>(sql`
    select g.order_id as "orderId", g.state, coalesce(g.claim_until <= shop_now(), false) as ended, g.claimed_by as "claimedBy",
      g.claimed_at as "claimedAt", g.claim_until as "claimUntil", g.message, coalesce(${disputeStateSql("o")} = 'open', false) as disputed,
      (select count(*)::int from keys k join order_lines l on l.id = k.order_line_id
        where l.order_id = o.id and k.state = 'assigned') as codes
    from gifts g join orders o on o.id = g.order_id where g.token_hash = ${giftTokenHash(token)}`);
  return row ?? null;
}

/** What the link of a gift leads to. A returned gift says no more about its order. */
export function giftLinkState({ state, ended, disputed, codes }: LinkRow): GiftLinkState {
  if (state === "returned" || (state === "sent" && ended)) return "returned";
  if (disputed) return "disputed";
  if (codes === 0) return "refunded";
  return state === "claimed" ? "claimed" : "open";
}

type PassRow = Omit<GiftLinkView["passes"][number], "vip_type" | "product_image" | "language"> & {
  product_id: number;
  image: string;
  translated: boolean;
};

/**
 * What the link of a gift shows (`/gift/view`, docs/product.md#819-gifts); null for an invalid link. Passes and message
 * are shown while the gift is open, and to the account that claimed it.
 */
export async function viewGiftLink(
  viewer: Viewer,
  token: string,
  locale: Locale,
): Promise<GiftLinkView | null> {
  const gift = await findGiftLink(db, token);
  if (!gift) return null;
  const state = giftLinkState(gift);
  const yours = viewer.kind === "user" && gift.claimedBy === viewer.userId;
  const isShown = state === "open" || yours;
  const isDated = state === "open" || state === "disputed";
  return {
    state,
    yours,
    message: isShown ? gift.message : "",
    claim_until: isDated && gift.state === "sent" ? instant(gift.claimUntil) : null,
    passes: isShown ? await listGiftPasses(gift.orderId, locale) : [],
  };
}

/**
 * Like `viewGiftLink`, for API calls.
 * @throws ShopError gift_link_invalid
 */
export async function getGiftLink(viewer: Viewer, token: string, locale: Locale): Promise<GiftLinkView> {
  const gift = await viewGiftLink(viewer, token, locale);
  if (!gift) throw new ShopError("gift_link_invalid");
  return gift;
}

async function listGiftPasses(orderId: string, locale: Locale): Promise<GiftLinkView["passes"]> {
  const rows = await db.execute<PassRow>(sql`
    select p.id as product_id, p.slug, coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, p.image, t.locale is not null or translate_product_text(e.name, ${locale}) <> e.name as translated,
      p.vendor as maker, l.pass_type, l.duration_days, left_keys.count as quantity
    from order_lines l join products p on p.id = l.product_id
    cross join lateral (select count(*)::int as count from keys k where k.order_line_id = l.id and k.state = 'assigned') left_keys
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    where l.order_id = ${orderId} and left_keys.count > 0 order by l.position`);
  return rows.map(({ product_id, image, translated, ...row }) => ({
    ...row,
    vip_type: passLabel(row, locale),
    product_image: productImagePath(product_id, image),
    language: translated ? locale : "en",
  }));
}

type GivenRow = Pick<GivenGift, "order_id" | "order_number" | "product_name" | "more"> & {
  translated: boolean;
  status: OrderStatus;
  gift: GiftJson;
  dispute: DisputeState | null;
};

/** A gift stays in its giver's library this long after it was claimed. */
const GIVEN_DAYS = 30;

/** The viewer's paid gifts that wait for their recipients, or were claimed in the last 30 days; at most 100. */
export async function listGivenGifts(viewer: { userId: string }, locale: Locale): Promise<GivenGift[]> {
  const rows = await db.execute<GivenRow>(sql`
    select o.id as order_id, o.order_number, o.status, ${selectGift()} as gift, ${disputeStateSql("o")} as dispute,
      first_line.name as product_name, first_line.translated, (select count(*)::int - 1 from order_lines where order_id = o.id) as more
    from gifts given join orders o on o.id = given.order_id cross join lateral (
      select coalesce(t.name, translate_product_text(e.name, ${locale})) as name, t.locale is not null or translate_product_text(e.name, ${locale}) <> e.name as translated from order_lines l
      left join product_texts t on t.product_id = l.product_id and t.locale = ${locale}
      left join product_texts e on e.product_id = l.product_id and e.locale = 'en'
      where l.order_id = o.id order by l.position limit 1) first_line
    where o.user_id = ${viewer.userId} and o.status in ('paid', 'processing', 'shipped', 'completed')
      and (given.state in ('scheduled', 'sent')
        or (given.state = 'claimed' and given.claimed_at > shop_now() - make_interval(days => ${GIVEN_DAYS})))
    order by given.deliver_on, o.id limit 100`);
  return rows.map(({ gift, translated, dispute, ...row }) => ({
    ...row,
    language: translated ? locale : "en",
    dispute_open: dispute === "open",
    dispute_lost: dispute === "lost",
    gift: toGiftView(gift, { status: row.status, disputed: dispute !== null }),
  }));
}

/** The email to the recipient: the passes and the link; null when a newer link replaced this one, or it was used. */
export async function giftMail(giftId: string, serial: number, locale: Locale) {
  const [gift] = await db.execute<{ orderId: string; claimUntil: string }>(sql`
    select order_id as "orderId", claim_until as "claimUntil" from gifts
    where id = ${giftId} and serial = ${serial} and state = 'sent'`);
  if (!gift) return null;
  const passes = await listMailedPasses(gift.orderId, locale);
  if (passes.length === 0) return null; // refunded in the meantime
  return { token: giftToken(giftId, serial), claimUntil: new Date(gift.claimUntil), passes };
}

/** The email to the giver of a gift that nobody claimed; null when it was refunded. */
export async function giftReturnedMail(orderId: string, locale: Locale) {
  const passes = await listMailedPasses(orderId, locale);
  return passes.length > 0 ? { orderId, passes } : null;
}

async function listMailedPasses(orderId: string, locale: Locale) {
  const rows = await readOrderLines(orderId, locale);
  return rows
    .filter((row) => row.assigned_units > 0)
    .map((row) => ({ ...toPassLine(row, locale), quantity: row.assigned_units, totalCents: 0 }));
}
