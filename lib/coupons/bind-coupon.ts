import { and, eq, isNull, sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { coupons } from "@/db/schema/coupons";
import { shopNow } from "@/lib/coupons/campaigns/find-campaign";
import type { UserViewer } from "@/lib/platform/auth/session";
import { isShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { BindCouponInput, CouponView } from "./contract";
import { lockCoupon } from "./lock-coupon";
import { assertBindable } from "./preview-coupon";
import type { ClaimOrigin } from "./record-claim";
import { toCouponView } from "./select-coupons";

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
