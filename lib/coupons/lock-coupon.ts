import type { Tx } from "@/db/client";
import type { UserViewer } from "@/lib/platform/auth/session";
import type { Locale } from "@/lib/platform/i18n/locales";
import { takeRateLimit, toCounters } from "@/lib/platform/rate-limit";
import { assertCouponUsable, previewPublicCode, requireOthersProducts } from "./check-coupon";
import { findCoupon } from "./find-coupon";
import { issueCoupon } from "./issue-coupon";
import { promotionIssueKey } from "./issue-key";
import type { ClaimOrigin } from "./record-claim";
import { COUPON_CODE_LIMITS } from "./rules";
import { couponDiscount } from "./rules-discount";

/** Locks the coupon of a code. A campaign's public code issues a coupon to the viewer if they have none yet. */
export async function lockCoupon(
  tx: Tx,
  viewer: UserViewer,
  code: string,
  locale: Locale,
  origin: ClaimOrigin,
) {
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

/** What a coupon is for; `orderId`: the order if it is already placed. */
type CouponOrder = { locale: Locale; origin: ClaimOrigin; productIds: readonly number[]; orderId?: string };

/**
 * Checks and locks a coupon for an order; `reserveCoupon` links it to the order.
 * @throws ShopError as `checkCoupon`
 */
export async function lockCouponForOrder(
  tx: Tx,
  viewer: UserViewer,
  code: string,
  subtotalCents: number,
  { locale, origin, productIds, orderId }: CouponOrder,
) {
  await requireOthersProducts(tx, viewer, productIds, origin.ip);
  const { coupon } = await lockCoupon(tx, viewer, code, locale, origin);
  await assertCouponUsable(tx, viewer, coupon, subtotalCents, locale, orderId);
  return { couponId: coupon.id, discountCents: couponDiscount(coupon, subtotalCents) };
}
