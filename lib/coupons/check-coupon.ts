import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { quoteCart } from "@/lib/cart/get-cart";
import { type Campaign, previewIssuedCoupon, shopNow } from "@/lib/coupons/campaigns/find-campaign";
import type { CouponOffer, QueryCouponInput } from "@/lib/coupons/contract";
import { addressGroupHash, findRelatedMerchants } from "@/lib/platform/auth/merchant-people";
import type { UserViewer } from "@/lib/platform/auth/session";
import { type ErrorName, type ErrorParams, ShopError } from "@/lib/platform/errors";
import { formatDate } from "@/lib/platform/format";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice, toCents, toDecimal } from "@/lib/platform/money";
import { findCoupon } from "./find-coupon";
import { findEarlierOrder } from "./find-earlier-order";
import { requireEligibleRecipient } from "./require-eligible-recipient";
import {
  COUPON_STATE_ERRORS,
  type Coupon,
  type CouponFacts,
  couponDiscount,
  couponOrderError,
  couponState,
} from "./rules-discount";

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
export function couponError(
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

/**
 * Throws unless the viewer may use the coupon on an order of this subtotal, in cents; `orderId`: the order if
 * it is already placed.
 */
export async function assertCouponUsable(
  tx: Db,
  viewer: UserViewer,
  coupon: Coupon,
  subtotalCents: number,
  locale: Locale,
  orderId?: string,
): Promise<void> {
  const earlierOrder = coupon.firstOrderOnly ? await findEarlierOrder(tx, viewer.userId, orderId) : null;
  const error =
    COUPON_STATE_ERRORS[couponState(coupon, viewer.userId, await shopNow(tx))] ??
    couponOrderError(coupon, { subtotalCents, earlierOrder });
  if (error) throw couponError(error, coupon, viewer, locale);
}

/** The merchants of these products. */
export async function findMerchantsOf(tx: Db, productIds: readonly number[]): Promise<string[]> {
  const rows = await tx.execute<{ id: string }>(sql`
    select distinct merchant_id as id from products where id = any(${sql.param([...productIds])}::int[])`);
  return rows.map(({ id }) => id);
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
  const merchants = await findMerchantsOf(tx, productIds);
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
