import { eq } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { campaigns } from "@/db/schema/coupons";
import { findCampaign } from "@/lib/coupons/campaigns/find-campaign";
import { giveCoupon, sumGivenCents } from "@/lib/coupons/give-coupon";
import { couponWorth } from "@/lib/coupons/rules-discount";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { limitOf } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { countAction } from "@/lib/platform/console/action-limits";
import { ShopError } from "@/lib/platform/errors";
import { formatPrice } from "@/lib/platform/money";
import type { CouponGiven, GiveCouponInput } from "@/lib/staff/customers/contract";
import { lockCustomer } from "./change-customer-access";

/**
 * Gives a customer a coupon of a running campaign and mails it. Support and catalogue together give a person at most
 * $10 a calendar month.
 * @throws ShopError customer_unknown, own_account, note_has_code, campaign_unknown, coupon_limit, voucher_unavailable,
 * too_many_requests
 */
export async function giveCustomerCoupon(
  viewer: StaffViewer,
  id: string,
  { campaign: campaignId, reason }: GiveCouponInput,
): Promise<CouponGiven> {
  await requireNoCode(db, reason);
  return transaction(async (tx) => {
    const customer = await lockCustomer(tx, viewer, id);
    const campaign = await findCampaign(tx, eq(campaigns.id, campaignId));
    if (!campaign) throw new ShopError("campaign_unknown");
    const limitCents = limitOf(viewer.staff.roles, "coupons.give");
    if ((await sumGivenCents(tx, id)) + couponWorth(campaign) > limitCents)
      throw new ShopError("coupon_limit", { params: { limit: formatPrice(limitCents, viewer.locale) } });
    await countAction(viewer, "coupon.give", { within: tx });
    const coupon = await giveCoupon(tx, campaign, customer, { by: viewer.userId, reason });
    return { coupon_code: coupon.code, expires_at: coupon.expiresAt?.toISOString() ?? null };
  });
}
