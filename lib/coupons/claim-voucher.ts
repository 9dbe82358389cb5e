import { eq } from "drizzle-orm";
import { transaction } from "@/db/client";
import { campaigns } from "@/db/schema/coupons";
import { findCampaign, shopNow } from "@/lib/coupons/campaigns/find-campaign";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ClaimVoucherInput } from "./contract";
import { findEarlierOrder } from "./find-earlier-order";
import { issueCoupon } from "./issue-coupon";
import { voucherIssueKey } from "./issue-key";
import type { ClaimOrigin } from "./record-claim";
import { requireEligibleRecipient } from "./require-eligible-recipient";
import { toCouponView } from "./select-coupons";

/**
 * Claims a free voucher (docs/product.md#85-coupons): the daily one once a day, the first-order bonus once, before
 * the first paid order.
 * @throws ShopError email_unverified, throwaway_address, already_claimed, coupon_first_order, voucher_unavailable,
 * claims_full
 */
export async function claimVoucher(
  viewer: UserViewer,
  { type }: ClaimVoucherInput,
  locale: Locale,
  origin: ClaimOrigin = {},
) {
  requireEligibleRecipient(viewer);
  return transaction(async (tx) => {
    const campaign = await findCampaign(tx, eq(campaigns.id, type));
    if (!campaign) throw new ShopError("voucher_unavailable");
    if (campaign.firstOrderOnly && (await findEarlierOrder(tx, viewer.userId)) === "paid")
      throw new ShopError("coupon_first_order");
    const now = await shopNow(tx);
    const issueKey = voucherIssueKey(type, viewer.email, now);
    const claimant = { email: viewer.email, ...origin };
    const coupon = await issueCoupon(tx, campaign, { userId: viewer.userId, issueKey, claimant });
    return toCouponView(coupon, viewer.userId, locale, now);
  });
}
