import { sql } from "drizzle-orm";
import type { Db, Tx } from "@/db/client";
import type { Campaign } from "@/lib/coupons/campaigns/find-campaign";
import { audit } from "@/lib/platform/audit";
import { newId } from "@/lib/platform/crypto/ids";
import { isLocale } from "@/lib/platform/i18n/locales";
import { queueCouponMail } from "./coupon-mail";
import { issueCoupon } from "./issue-coupon";
import { exactIssueKey } from "./issue-key";
import { COUPON_GIVEN } from "./rules";
import type { Coupon, CouponTerms } from "./rules-discount";

/** The beginning of the issue keys of coupons that staff gave. */
export const GIVEN_PREFIX = "gift:";

/** The face value assumed for a percentage without a cap. */
const UNCAPPED_CENTS = 10_000_000;

/** The face value of a coupon, in cents: what it may take off. */
export const faceCents = (terms: CouponTerms): number =>
  terms.amountCents ?? terms.maxDiscountCents ?? UNCAPPED_CENTS;

/** What the coupons that staff gave an account this calendar month (UTC) may take off, in cents; revoked ones do not count. */
export async function sumGivenCents(tx: Db, userId: string): Promise<number> {
  const [row] = await tx.execute<{ cents: number }>(sql`
    select coalesce(sum(coalesce(amount_cents, max_discount_cents, ${UNCAPPED_CENTS}::int)), 0)::float8 as cents from coupons
    where user_id = ${userId} and created_at >= date_trunc('month', shop_now(), 'UTC') and state <> 'revoked'
      and starts_with(issue_key, ${GIVEN_PREFIX})`);
  return row!.cents;
}

/** Gives a locked account a coupon of a campaign and mails it; `reason` is for the audit log. @throws ShopError voucher_unavailable */
export async function giveCoupon(
  tx: Tx,
  campaign: Campaign,
  user: { id: string; email: string; locale: string },
  { by, reason }: { by: string; reason?: string },
): Promise<Coupon> {
  const issueKey = exactIssueKey(`${GIVEN_PREFIX}${newId("gift")}`);
  const coupon = await issueCoupon(tx, campaign, { userId: user.id, issueKey });
  await queueCouponMail(tx, coupon.id, user.email, isLocale(user.locale) ? user.locale : "en");
  const detail = { campaignId: campaign.id, to: user.id, ...(reason && { reason }) };
  await audit({ actor: by, action: COUPON_GIVEN, subject: coupon.id, detail }, tx);
  return coupon;
}
