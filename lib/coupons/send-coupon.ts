import { and, eq, sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { verifiedEmails } from "@/db/schema/accounts";
import { campaigns } from "@/db/schema/coupons";
import { findCampaign, shopNow } from "@/lib/coupons/campaigns/find-campaign";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { SendCouponInput } from "./contract";
import { queueCouponMail } from "./coupon-mail";
import { issueCoupon } from "./issue-coupon";
import { promotionIssueKey } from "./issue-key";
import type { ClaimOrigin } from "./record-claim";
import { requireEligibleRecipient } from "./require-eligible-recipient";
import { toCouponView } from "./select-coupons";

/**
 * Mails the viewer their coupon of a running campaign, once per email identity and campaign (coupon/send,
 * docs/product.md#74-cart-and-coupons).
 * @throws ShopError campaign_unknown, email_unverified, throwaway_address, delivery_email_unverified, already_claimed,
 *   voucher_unavailable, claims_full
 */
export async function sendCoupon(
  viewer: UserViewer,
  input: SendCouponInput,
  locale: Locale,
  origin: ClaimOrigin = {},
) {
  requireEligibleRecipient(viewer);
  const to = input.email ?? viewer.email;
  await assertVerifiedAddress(viewer, to);
  return transaction(async (tx) => {
    const isPromotion = and(eq(campaigns.id, input.campaign), eq(campaigns.kind, "promotion"));
    const campaign = await findCampaign(tx, isPromotion);
    if (!campaign?.enabled) throw new ShopError("campaign_unknown");
    const issueKey = promotionIssueKey(campaign.id, viewer.email);
    const claimant = { email: viewer.email, ...origin };
    const coupon = await issueCoupon(tx, campaign, { userId: viewer.userId, issueKey, claimant });
    await queueCouponMail(tx, coupon.id, to, locale);
    return toCouponView(coupon, viewer.userId, locale, await shopNow(tx));
  });
}

/** Coupons are mailed to verified addresses only. */
async function assertVerifiedAddress({ userId, email }: UserViewer, to: string): Promise<void> {
  if (to === email.toLowerCase()) return;
  const verified = await db.$count(
    verifiedEmails,
    and(eq(verifiedEmails.userId, userId), eq(sql`lower(${verifiedEmails.email})`, to)),
  );
  if (verified === 0) throw new ShopError("delivery_email_unverified", { params: { email: to } });
}
