import { isDisposableEmail } from "disposable-email-domains-js";
import { and, desc, eq, getTableColumns, ne, type SQL, sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { campaigns, coupons } from "@/db/schema/coupons";
import type { CouponProps } from "@/emails/coupon";
import { quoteCart } from "@/lib/cart/get-cart";
import {
  type Campaign,
  findCampaign,
  isRunning,
  issuedCouponsSql,
  previewIssuedCoupon,
  promotionIssueKey,
  shopNow,
} from "@/lib/coupons/campaigns/queries";
import type {
  CartCoupons,
  CouponList,
  CouponOffer,
  CouponPreview,
  CouponView,
  PreviewCouponInput,
  QueryCouponInput,
} from "@/lib/coupons/contract";
import {
  COUPON_STATE_ERRORS,
  type Coupon,
  type CouponFacts,
  couponDiscount,
  couponOrderError,
  couponState,
  type EarlierOrder,
} from "@/lib/coupons/discount/rules";
import { compareByExpiry } from "@/lib/coupons/rules";
import { addressGroupHash, findRelatedMerchants } from "@/lib/platform/auth/merchant-people";
import type { UserViewer } from "@/lib/platform/auth/session";
import { type ErrorName, type ErrorParams, ShopError } from "@/lib/platform/errors";
import { formatDate } from "@/lib/platform/format";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents, toDecimal } from "@/lib/platform/money";

/** Coupons with their campaign's kind and title; `lock` locks their rows. */
export async function selectCoupons(
  tx: Db,
  where: SQL | undefined,
  { lock = false } = {},
): Promise<Coupon[]> {
  const selected = tx
    .select({ ...getTableColumns(coupons), kind: campaigns.kind, title: campaigns.title })
    .from(coupons)
    .innerJoin(campaigns, eq(campaigns.id, coupons.campaignId))
    .where(where)
    .orderBy(desc(coupons.createdAt), coupons.id)
    .limit(500);
  return lock ? selected.for("update", { of: coupons }) : selected;
}

export function toCouponView(coupon: Coupon, userId: string, locale: Locale, now: Date): CouponView {
  const toDollars = (cents: number | null) => (cents === null ? null : toDecimal(cents));
  return {
    coupon_code: coupon.code,
    title: coupon.title[locale],
    kind: coupon.kind,
    state: couponState(coupon, userId, now),
    amount: toDollars(coupon.amountCents),
    percent: coupon.percent,
    max_discount: toDollars(coupon.maxDiscountCents),
    min_amount: toDecimal(coupon.minimumCents),
    first_order_only: coupon.firstOrderOnly,
    free: coupon.free,
    starts_at: coupon.startsAt?.toISOString() ?? null,
    expires_at: coupon.expiresAt?.toISOString() ?? null,
    used_at: coupon.usedAt?.toISOString() ?? null,
    held: coupon.state === "reserved",
    order_id: coupon.orderId,
  };
}

/** The viewer's own coupons, newest first (coupon/user, docs/product.md#74-cart-and-coupons). */
export async function listCoupons(viewer: UserViewer, locale: Locale): Promise<CouponList> {
  const now = await shopNow(db);
  const owned = await selectCoupons(db, eq(coupons.userId, viewer.userId));
  const items = owned.map((coupon) => toCouponView(coupon, viewer.userId, locale, now));
  return { items, total: items.length, server_time: now.toISOString() };
}

/** The coupons that a cart offers: usable now, later, or once the unpaid order that holds them is released. */
export async function listCartCoupons(viewer: UserViewer, locale: Locale): Promise<CartCoupons> {
  const { items } = await listCoupons(viewer, locale);
  const usable = items.filter(({ state, held }) => state === "valid" || state === "not_yet_valid" || held);
  return { items: usable.sort(compareByExpiry), earlier_order: await findEarlierOrder(db, viewer.userId) };
}

/** SQL: the order `o` was fully refunded without a delivery. */
export const FULLY_REFUNDED_UNDELIVERED = sql`(o.status = 'refunded' and o.shipped_at is null
  and not exists (select 1 from order_lines l where l.order_id = o.id
    and (exists (select from keys k where k.order_line_id = l.id and k.assigned_at is not null)
      or exists (select from returned_keys r where r.order_line_id = l.id))))`;

/**
 * SQL: the order `o` counts as the buyer's first: paid or payable, with an amount due or a first-order coupon that
 * reduced it to zero. Free passes and undelivered refunded orders do not count.
 */
export const COUNTS_AS_FIRST_ORDER = sql`((o.paid_at is not null or o.status in ('pending', 'processingPayment'))
  and (o.total_cents > 0
    or exists (select 1 from coupons f where f.id = o.coupon_id and f.first_order_only))
  and not ${FULLY_REFUNDED_UNDELIVERED})`;

/**
 * Whether the buyer has a paid order, else an unpaid one. Lock the buyer before a write that depends on it
 * (docs/decisions/0014-give-each-person-a-coupon-once.md).
 */
export async function findEarlierOrder(tx: Db, userId: string): Promise<EarlierOrder> {
  const [order] = await tx.execute<{ paid: boolean }>(sql`
    select o.paid_at is not null as paid from orders o where o.user_id = ${userId} and ${COUNTS_AS_FIRST_ORDER}
    order by paid desc limit 1`);
  if (!order) return null;
  return order.paid ? "paid" : "unpaid";
}

/**
 * What a code leads to: a coupon, or a campaign of which the viewer has no coupon yet; `lock` as in `selectCoupons`.
 * @throws ShopError coupon_unknown
 */
export async function findCoupon(tx: Db, viewer: UserViewer, code: string, options?: { lock: boolean }) {
  const [coupon] = await selectCoupons(tx, eq(coupons.code, code), options);
  if (coupon) return { coupon };
  const campaign = await findCampaign(tx, eq(campaigns.code, code));
  if (!campaign) throw new ShopError("coupon_unknown");
  const issued = issuedCouponsSql(viewer.userId, promotionIssueKey(campaign.id, viewer.email));
  const [viewersCoupon] = await selectCoupons(tx, issued, options);
  return viewersCoupon ? { coupon: viewersCoupon } : { campaign };
}

/** Throws unless the recipient has a verified address that is not disposable. */
export function requireEligibleRecipient({ email, emailVerified }: UserViewer): void {
  if (!emailVerified) throw new ShopError("email_unverified");
  if (isDisposableEmail(email)) throw new ShopError("throwaway_address");
}

/**
 * The coupon that a public code would issue. The campaign's budget stays unchanged.
 * @throws ShopError coupon_not_yet_valid, coupon_expired, email_unverified, throwaway_address
 */
export async function previewPublicCode(tx: Db, viewer: UserViewer, campaign: Campaign, locale: Locale) {
  const now = await shopNow(tx);
  const coupon = previewIssuedCoupon(campaign, now);
  const state = couponState(coupon, viewer.userId, now);
  const error = state === "expired" || state === "not_yet_valid" ? COUPON_STATE_ERRORS[state] : null;
  if (error) throw couponError(error, coupon, viewer, locale);
  requireEligibleRecipient(viewer);
  return coupon;
}

/** A refusal of a coupon; dates are in the viewer's time zone. */
function couponError(
  error: ErrorName,
  coupon: CouponFacts,
  { timeZone }: UserViewer,
  locale: Locale,
): ShopError {
  if (error === "coupon_used" && coupon.state === "reserved") return new ShopError("coupon_held");
  const params: ErrorParams = {};
  if (error === "coupon_below_minimum") params.minimum = formatPrice(coupon.minimumCents, locale);
  if (error === "coupon_not_yet_valid")
    params.date = formatDate(coupon.startsAt ?? 0, locale, timeZone ?? undefined);
  return new ShopError(error, { params });
}

/** Throws unless the viewer may use the coupon on an order of this subtotal, in cents. */
export async function assertCouponUsable(
  tx: Db,
  viewer: UserViewer,
  coupon: Coupon,
  subtotalCents: number,
  locale: Locale,
): Promise<void> {
  const earlierOrder = coupon.firstOrderOnly ? await findEarlierOrder(tx, viewer.userId) : null;
  const error =
    COUPON_STATE_ERRORS[couponState(coupon, viewer.userId, await shopNow(tx))] ??
    couponOrderError(coupon, { subtotalCents, earlierOrder });
  if (error) throw couponError(error, coupon, viewer, locale);
}

/**
 * Refuses the shop's coupons on passes of a merchant to which the buyer belongs.
 * @throws ShopError coupon_own_product
 */
export async function requireOthersProducts(
  tx: Db,
  viewer: UserViewer,
  productIds: readonly number[],
  ip: string | undefined,
): Promise<void> {
  const rows = await tx.execute<{ id: string }>(sql`
    select distinct merchant_id as id from products where id = any(${sql.param([...productIds])}::int[])`);
  const merchants = rows.map(({ id }) => id);
  const related = await findRelatedMerchants(tx, viewer, merchants, addressGroupHash(ip));
  if (related.length > 0) throw new ShopError("coupon_own_product");
}

/**
 * The effect of a coupon on the selected lines of the cart (coupon/query, docs/product.md#74-cart-and-coupons);
 * nothing is held or bound.
 * @throws ShopError coupon_unknown, coupon_used, coupon_held, coupon_expired, coupon_not_yet_valid, coupon_bound,
 * coupon_invalid, coupon_below_minimum, coupon_first_order, coupon_order_open, coupon_not_applied, coupon_own_product, cart_line_unknown,
 * nothing_selected; for a campaign's public code also email_unverified, throwaway_address
 */
export async function checkCoupon(
  viewer: UserViewer,
  input: QueryCouponInput,
  locale: Locale,
  ip?: string,
): Promise<CouponOffer> {
  const quote = await quoteCart(viewer, input, locale);
  const subtotalCents = toCents(quote.subtotal);
  const { coupon: existing, campaign } = await findCoupon(db, viewer, input.coupon_code);
  const coupon = existing ?? (await previewPublicCode(db, viewer, campaign, locale));
  await assertCouponUsable(db, viewer, coupon, subtotalCents, locale);
  const productIds = quote.cart_items.map(({ product_id }) => product_id);
  await requireOthersProducts(db, viewer, productIds, ip);
  const discountCents = couponDiscount(coupon, subtotalCents);
  return {
    coupon_code: coupon.code,
    state: "valid",
    title: coupon.title[locale],
    bound: coupon.userId === viewer.userId,
    subtotal: quote.subtotal,
    discount_amount: toDecimal(discountCents),
    final_amount: toDecimal(subtotalCents - discountCents),
    min_amount: toDecimal(coupon.minimumCents),
    expires_at: coupon.expiresAt?.toISOString() ?? null,
  };
}

/** Throws unless the viewer may bind this coupon. A coupon that starts later can be bound. */
export function assertBindable(viewer: UserViewer, coupon: Coupon, locale: Locale, now: Date): void {
  const state = couponState(coupon, viewer.userId, now);
  const error = state === "not_yet_valid" ? null : COUPON_STATE_ERRORS[state];
  if (error) throw couponError(error, coupon, viewer, locale);
  if (coupon.userId === viewer.userId) throw new ShopError("coupon_already_bound");
}

/**
 * Shows the coupon that a code would bind, without creating or holding anything.
 * @throws ShopError as `bindCoupon`
 */
export async function previewCoupon(
  viewer: UserViewer,
  { coupon_code }: PreviewCouponInput,
  locale: Locale,
): Promise<CouponPreview> {
  const now = await shopNow(db);
  const { coupon, campaign } = await findCoupon(db, viewer, coupon_code);
  if (coupon) {
    assertBindable(viewer, coupon, locale, now);
    return { ...toCouponView(coupon, viewer.userId, locale, now), shared: false };
  }
  const offer = await previewPublicCode(db, viewer, campaign, locale);
  if (!isRunning(campaign, now)) throw new ShopError("voucher_unavailable");
  return { ...toCouponView(offer, viewer.userId, locale, now), shared: true };
}

export async function findCouponMail(couponId: string, locale: Locale): Promise<CouponProps | null> {
  const [coupon] = await selectCoupons(db, and(eq(coupons.id, couponId), ne(coupons.state, "revoked")));
  if (!coupon) return null;
  const { code, title, amountCents, percent, minimumCents, expiresAt } = coupon;
  return { code, title: title[locale], amountCents, percent, minimumCents, expiresAt };
}
