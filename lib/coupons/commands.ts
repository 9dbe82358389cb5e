import { sql } from "drizzle-orm";
import { db, statements, type Tx } from "@/db/client";
import { assertBindable } from "@/lib/coupons/binding/queries";
import { oncePerPromotion, shopClock } from "@/lib/coupons/campaigns/queries";
import { type Coupon, couponDiscount } from "@/lib/coupons/discount/rules";
import { issueCoupon } from "@/lib/coupons/vouchers/commands";
import type { UserViewer } from "@/lib/platform/auth/session";
import { isShopError, ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { BindCouponInput, CouponView } from "./contract";
import {
  assertCouponUsable,
  COUNTS_AS_FIRST_ORDER,
  couponView,
  FULLY_REFUNDED_UNDELIVERED,
  findCoupon,
  offerPublicCode,
} from "./queries";

/**
 * Ties a coupon to the viewer's account: from then on it works there only (coupon/bind, docs/product.md#44-coupon).
 * @throws ShopError coupon_unknown, coupon_used, coupon_held, coupon_expired, coupon_not_yet_valid, coupon_bound,
 *   coupon_invalid, coupon_already_bound; for a campaign's public code also email_unverified, throwaway_address,
 *   voucher_unavailable
 */
export async function bindCoupon(
  viewer: UserViewer,
  { coupon_code }: BindCouponInput,
  locale: Locale,
): Promise<CouponView> {
  const once = () => bindOnce(viewer, coupon_code, locale);
  return once().catch((error: unknown) => {
    // Two tabs at once with one public code: the second finds what the first has made.
    if (isShopError(error, "already_claimed")) return once();
    throw error;
  });
}

function bindOnce(viewer: UserViewer, code: string, locale: Locale): Promise<CouponView> {
  return db.transaction(async (tx) => {
    const { coupon, isNew } = await lockCoupon(tx, viewer, code, locale);
    const now = await shopClock(tx);
    if (!isNew) assertBindable(viewer, coupon, locale, now);
    await bind(tx, coupon, viewer.userId);
    return couponView({ ...coupon, userId: viewer.userId }, viewer.userId, locale, now);
  });
}

async function bind(tx: Tx, coupon: Coupon, userId: string): Promise<void> {
  await tx.execute(sql`
    update coupons set user_id = ${userId}, bound_at = coalesce(bound_at, shop_now())
    where id = ${coupon.id} and user_id is null`);
}

/** The coupon of a code, locked; a campaign's public code makes the viewer's own coupon. */
async function lockCoupon(
  tx: Tx,
  viewer: UserViewer,
  code: string,
  locale: Locale,
): Promise<{ coupon: Coupon; isNew: boolean }> {
  const { coupon, campaign } = await findCoupon(tx, viewer, code, { lock: true });
  if (coupon) return { coupon, isNew: false };
  await offerPublicCode(tx, viewer, campaign, locale);
  const once = oncePerPromotion(campaign.id, viewer.email);
  return { coupon: await issueCoupon(tx, campaign, { userId: viewer.userId, once }), isNew: true };
}

export type LockedCoupon = { couponId: string; discountCents: number };

/**
 * Takes a coupon for an order that is being made: judged and locked; `holdCoupon` ties it to the order's row. `lines`
 * are the totals that the discount is for, in cents.
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

/** Reserves a taken coupon for its order; using it binds it. */
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

/** The order is paid: its coupon is used up. */
export async function consumeCoupon(tx: Tx, orderId: string): Promise<void> {
  await statements(tx)`
    update coupons set state = 'used', used_at = shop_now() where order_id = ${orderId} and state = 'reserved'`.execute();
}

/** The order is let go: its coupon comes back. */
export async function releaseCoupon(tx: Tx, orderId: string): Promise<void> {
  await tx.execute(
    sql`update coupons set state = 'open', order_id = null where order_id = ${orderId} and state = 'reserved'`,
  );
}

/** Nothing of a paid order was delivered, and its money went back: so does its coupon. */
export async function restoreCoupon(tx: Tx, orderId: string): Promise<void> {
  await tx.execute(sql`
    update coupons c set state = 'open', order_id = null, used_at = null from orders o
    where c.order_id = ${orderId} and o.id = c.order_id and ${FULLY_REFUNDED_UNDELIVERED}`);
}

/**
 * A payment that came after release: the coupon is taken again, also past its expiry, since its price was promised.
 * False when it serves another order by now, or is for a first order and another one is that by now. The buyer must
 * be locked.
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
