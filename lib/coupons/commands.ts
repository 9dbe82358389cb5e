import { and, eq, isNull, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { coupons } from "@/db/schema/coupons";
import { orders } from "@/db/schema/orders";
import { promotionIssueKey, shopNow } from "@/lib/coupons/campaigns/queries";
import type { ClaimOrigin } from "@/lib/coupons/claims/commands";
import { couponDiscount } from "@/lib/coupons/discount/rules";
import { assertBindable } from "@/lib/coupons/queries";
import { issueCoupon } from "@/lib/coupons/vouchers/commands";
import type { UserViewer } from "@/lib/platform/auth/session";
import { isShopError, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { takeRateLimit, toCounters } from "@/lib/platform/rate-limit";
import type { BindCouponInput, CouponView } from "./contract";
import {
  assertCouponUsable,
  COUNTS_AS_FIRST_ORDER,
  FULLY_REFUNDED_UNDELIVERED,
  findCoupon,
  previewPublicCode,
  requireOthersProducts,
  toCouponView,
} from "./queries";
import { COUPON_CODE_LIMITS } from "./rules";

/**
 * Binds a coupon to the viewer's account; it then works there only (coupon/bind, docs/product.md#44-coupon).
 * @throws ShopError coupon_unknown, coupon_used, coupon_held, coupon_expired, coupon_not_yet_valid, coupon_bound,
 * coupon_invalid, coupon_already_bound; for a campaign's public code also email_unverified, throwaway_address,
 * voucher_unavailable, claims_full
 */
export async function bindCoupon(
  viewer: UserViewer,
  { coupon_code }: BindCouponInput,
  locale: Locale,
  origin: ClaimOrigin = {},
) {
  try {
    return await tryBindCoupon(viewer, coupon_code, locale, origin);
  } catch (error) {
    // A parallel request with the same public code issued the coupon first.
    if (isShopError(error, "already_claimed")) return tryBindCoupon(viewer, coupon_code, locale, origin);
    throw error;
  }
}

function tryBindCoupon(
  viewer: UserViewer,
  code: string,
  locale: Locale,
  origin: ClaimOrigin,
): Promise<CouponView> {
  return transaction(async (tx) => {
    const { coupon, isNew } = await lockCoupon(tx, viewer, code, locale, origin);
    const now = await shopNow(tx);
    if (!isNew) assertBindable(viewer, coupon, locale, now);
    await tx
      .update(coupons)
      .set({ userId: viewer.userId, boundAt: sql`coalesce(${coupons.boundAt}, shop_now())` })
      .where(and(eq(coupons.id, coupon.id), isNull(coupons.userId)));
    return toCouponView({ ...coupon, userId: viewer.userId }, viewer.userId, locale, now);
  });
}

/** Locks the coupon of a code. A campaign's public code issues a coupon to the viewer if they have none yet. */
async function lockCoupon(tx: Tx, viewer: UserViewer, code: string, locale: Locale, origin: ClaimOrigin) {
  const { coupon, campaign } = await findCoupon(tx, viewer, code, { lock: true });
  if (coupon) return { coupon, isNew: false };
  await previewPublicCode(tx, viewer, campaign, locale);
  const issueKey = promotionIssueKey(campaign.id, viewer.email);
  const claimant = { email: viewer.email, ip: origin.ip, device: origin.device };
  return {
    coupon: await issueCoupon(tx, campaign, { userId: viewer.userId, issueKey, claimant }),
    isNew: true,
  };
}

/**
 * Counts a code that an order names, like the calls that check a code and declare the same limits.
 * @throws ShopError too_many_requests, unavailable
 */
export async function countCouponTry({ userId }: UserViewer, ip: string | undefined): Promise<void> {
  await takeRateLimit(toCounters(COUPON_CODE_LIMITS, "", { userId, ip }), { failClosed: true });
}

/**
 * Checks and locks a coupon for an order being placed; `reserveCoupon` links it to the order.
 * @throws ShopError as `checkCoupon`
 */
export async function lockCouponForOrder(
  tx: Tx,
  viewer: UserViewer,
  code: string,
  subtotalCents: number,
  { locale, origin, productIds }: { locale: Locale; origin: ClaimOrigin; productIds: readonly number[] },
) {
  await requireOthersProducts(tx, viewer, productIds, origin.ip);
  const { coupon } = await lockCoupon(tx, viewer, code, locale, origin);
  await assertCouponUsable(tx, viewer, coupon, subtotalCents, locale);
  return { couponId: coupon.id, discountCents: couponDiscount(coupon, subtotalCents) };
}

/** Reserves a locked coupon for its order, and binds it to the account. */
export async function reserveCoupon(tx: Tx, couponId: string, userId: string, orderId: string) {
  const reserved = await tx.execute<{ id: string }>(sql`
    update coupons set state = 'reserved', order_id = ${orderId}, user_id = ${userId}, bound_at = coalesce(bound_at, shop_now())
    where id = ${couponId} and state = 'open' and coalesce(user_id, ${userId}) = ${userId} returning id`);
  if (reserved.length === 0) throw new ShopError("coupon_used");
}

const isReservedFor = (orderId: string) => and(eq(coupons.orderId, orderId), eq(coupons.state, "reserved"));

export async function consumeCoupon(tx: Tx, orderId: string): Promise<void> {
  await tx.update(coupons).set({ state: "used", usedAt: sql`shop_now()` }).where(isReservedFor(orderId));
}

export async function releaseCoupon(tx: Tx, orderId: string): Promise<void> {
  await tx.update(coupons).set({ state: "open", orderId: null }).where(isReservedFor(orderId));
}

/** Restores the coupon of a paid order that was fully refunded without a delivery. */
export async function restoreCoupon(tx: Tx, orderId: string): Promise<void> {
  await tx.execute(sql`
    update coupons c set state = 'open', order_id = null, used_at = null from orders o
    where c.order_id = ${orderId} and o.id = c.order_id and ${FULLY_REFUNDED_UNDELIVERED}`);
}

/**
 * Reserves the coupon again for a payment that succeeded after the release, even past its expiry, because the buyer paid
 * the discounted price. Returns false when another order uses it, or when it needs a first order and another order is
 * the first by now. The buyer must be locked.
 */
export async function reacquireCoupon(tx: Tx, orderId: string): Promise<boolean> {
  const reserved = await tx.execute<{ id: string }>(sql`
    update coupons c set state = 'reserved', order_id = paid.id from orders paid
    where paid.id = ${orderId} and c.id = paid.coupon_id and c.state = 'open' and c.user_id = paid.user_id
      and not (c.first_order_only and exists (
        select 1 from orders o where o.user_id = paid.user_id and o.id <> paid.id and ${COUNTS_AS_FIRST_ORDER}))
    returning c.id`);
  if (reserved.length > 0) return true;
  return (await tx.$count(orders, and(eq(orders.id, orderId), isNull(orders.couponId)))) > 0;
}
