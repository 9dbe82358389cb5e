import { db } from "@/db/client";
import { isRunning, shopTime } from "@/lib/coupons/campaigns/queries";
import type { CouponPreview, PreviewCouponInput } from "@/lib/coupons/contract";
import { type Coupon, couponState, stateFault } from "@/lib/coupons/discount/rules";
import { couponRefusal, couponView, findCoupon, offerOf } from "@/lib/coupons/queries";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";

/** Throws unless the viewer may bind this coupon. One that starts later may be kept already. */
export function refuseBinding(viewer: UserViewer, coupon: Coupon, locale: Locale, now: Date): void {
  const state = couponState(coupon, viewer.userId, now);
  const fault = state === "not_yet_valid" ? null : stateFault(state);
  if (fault) throw couponRefusal(fault, coupon, locale);
  if (coupon.userId === viewer.userId) throw new ShopError("coupon_already_bound");
}

/**
 * What a code would bring if the viewer kept it, so that the question before the binding tells the truth. Nothing is
 * made, held or bound.
 * @throws ShopError as `bindCoupon`
 */
export async function previewCoupon(
  viewer: UserViewer,
  { coupon_code }: PreviewCouponInput,
  locale: Locale,
): Promise<CouponPreview> {
  const now = await shopTime(db);
  const { coupon, campaign } = await findCoupon(db, viewer, coupon_code);
  if (coupon) {
    refuseBinding(viewer, coupon, locale, now);
    return { ...couponView(coupon, viewer.userId, locale, now), shared: false };
  }
  const offer = await offerOf(db, viewer, campaign, locale);
  if (!isRunning(campaign, now)) throw new ShopError("voucher_unavailable");
  return { ...couponView(offer, viewer.userId, locale, now), shared: true };
}
