import { sql } from "drizzle-orm";
import { statements, type Tx, transaction } from "@/db/client";
import { promotionIssueKey, shopNow } from "@/lib/coupons/campaigns/queries";
import { type Coupon, couponDiscount } from "@/lib/coupons/discount/rules";
import { assertBindable } from "@/lib/coupons/queries";
import { issueCoupon } from "@/lib/coupons/vouchers/commands";
import type { UserViewer } from "@/lib/platform/auth/session";
import { isShopError, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { BindCouponInput, CouponView } from "./contract";
import {
  assertCouponUsable,
  COUNTS_AS_FIRST_ORDER,
  FULLY_REFUNDED_UNDELIVERED,
  findCoupon,
  previewPublicCode,
  toCouponView,
} from "./queries";

/**
 * Binds a coupon to the viewer's account; it then works there only (coupon/bind, docs/product.md#44-coupon).
 * @throws ShopError coupon_unknown, coupon_used, coupon_held, coupon_expired, coupon_not_yet_valid, coupon_bound,
 * coupon_invalid, coupon_already_bound; for a campaign's public code also email_unverified, throwaway_address,
 * voucher_unavailable
 */
export async function bindCoupon(
  viewer: UserViewer,
  { coupon_code }: BindCouponInput,
  locale: Locale,
): Promise<CouponView> {
  const once = () => bindOnce(viewer, coupon_code, locale);
  return once().catch((error: unknown) => {
    // A parallel request with the same public code issued the coupon first.
    if (isShopError(error, "already_claimed")) return once();
    throw error;
  });
}

function bindOnce(viewer: UserViewer, code: string, locale: Locale): Promise<CouponView> {
  return transaction(async (tx) => {
    const { coupon, isNew } = await lockCoupon(tx, viewer, code, locale);
    const now = await shopNow(tx);
    if (!isNew) assertBindable(viewer, coupon, locale, now);
    await bind(tx, coupon, viewer.userId);
    return toCouponView({ ...coupon, userId: viewer.userId }, viewer.userId, locale, now);
  });
}

async function bind(tx: Tx, coupon: Coupon, userId: string): Promise<void> {
  await tx.execute(sql`
    update coupons set user_id = ${userId}, bound_at = coalesce(bound_at, shop_now())
    where id = ${coupon.id} and user_id is null`);
}

/** Locks the coupon of a code; a campaign's public code issues the viewer's own coupon. */
async function lockCoupon(
  tx: Tx,
  viewer: UserViewer,
  code: string,
  locale: Locale,
): Promise<{ coupon: Coupon; isNew: boolean }> {
  const { coupon, campaign } = await findCoupon(tx, viewer, code, { lock: true });
  if (coupon) return { coupon, isNew: false };
  await previewPublicCode(tx, viewer, campaign, locale);
  const once = promotionIssueKey(campaign.id, viewer.email);
  return { coupon: await issueCoupon(tx, campaign, { userId: viewer.userId, once }), isNew: true };
}

export type LockedCoupon = { couponId: string; discountCents: number };

/**
 * Checks and locks a coupon for an order being placed; `reserveCoupon` links it to the order. `lines` are the line
 * totals in cents.
 * @throws ShopError as `checkCoupon`
 */
export async function lockCouponForOrder(
  tx: Tx,
  viewer: UserViewer,
  code: string,
  subtotalCents: number,
  locale: Locale,
): Promise<LockedCoupon> {
  const { coupon } = await lockCoupon(tx, viewer, code, locale);
  await assertCouponUsable(tx, viewer, coupon, subtotalCents, locale);
  return { couponId: coupon.id, discountCents: couponDiscount(coupon, subtotalCents) };
}

/** Reserves a locked coupon for its order, and binds it to the account. */
export async function reserveCoupon(
  tx: Tx,
  couponId: string,
  userId: string,
  orderId: string,
): Promise<void> {
  const held = await tx.execute(sql`
    update coupons set state = 'reserved', order_id = ${orderId}, user_id = ${userId},
      bound_at = coalesce(bound_at, shop_now())
    where id = ${couponId} and state = 'open' and (user_id is null or user_id = ${userId}) returning id`);
  if (held.length === 0) throw new ShopError("coupon_used");
}

/** Marks the coupon of a paid order as used. */
export async function consumeCoupon(tx: Tx, orderId: string): Promise<void> {
  await statements(tx)`
    update coupons set state = 'used', used_at = shop_now() where order_id = ${orderId} and state = 'reserved'`;
}

/** Releases the coupon of a cancelled or expired order. */
export async function releaseCoupon(tx: Tx, orderId: string): Promise<void> {
  await tx.execute(
    sql`update coupons set state = 'open', order_id = null where order_id = ${orderId} and state = 'reserved'`,
  );
}

/** Restores the coupon of a paid order that was fully refunded without a delivery. */
export async function restoreCoupon(tx: Tx, orderId: string): Promise<void> {
  await tx.execute(sql`
    update coupons c set state = 'open', order_id = null, used_at = null from orders o
    where c.order_id = ${orderId} and o.id = c.order_id and ${FULLY_REFUNDED_UNDELIVERED}`);
}

/**
 * Reserves the coupon again for a payment that came after the release, even past its expiry, because its price was
 * promised. Returns false when another order uses it, or when it needs a first order and another order is that now.
 * The buyer must be locked.
 */
export async function reacquireCoupon(tx: Tx, orderId: string): Promise<boolean> {
  const again = await tx.execute(sql`
    update coupons c set state = 'reserved', order_id = late.id from orders late
    where late.id = ${orderId} and c.id = late.coupon_id and c.state = 'open' and c.user_id = late.user_id
      and not (c.first_order_only and exists (
        select 1 from orders o where o.user_id = late.user_id and o.id <> late.id and ${COUNTS_AS_FIRST_ORDER}))
    returning c.id`);
  if (again.length > 0) return true;
  const without = await tx.execute(sql`select 1 from orders where id = ${orderId} and coupon_id is null`);
  return without.length > 0;
}
