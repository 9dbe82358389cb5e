import { db } from "@/db/client";
import { isRunning, shopNow } from "@/lib/coupons/campaigns/find-campaign";
import type { CouponPreview, PreviewCouponInput } from "@/lib/coupons/contract";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { couponError, previewPublicCode } from "./check-coupon";
import { findCoupon } from "./find-coupon";
import { COUPON_STATE_ERRORS, type Coupon, couponState } from "./rules-discount";
import { toCouponView } from "./select-coupons";

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
