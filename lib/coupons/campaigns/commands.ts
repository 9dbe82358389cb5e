import { and, eq, isNull, sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { campaigns, coupons } from "@/db/schema/coupons";
import { issueCoupon, queueCouponMail, returnBudget } from "@/lib/coupons/vouchers/commands";
import { audit } from "@/lib/platform/audit";
import { newId } from "@/lib/platform/crypto/ids";
import { isLocale } from "@/lib/platform/i18n/locales";
import { type Campaign, exactIssueKey, findCampaign } from "./queries";

/** Changes of a campaign by staff. Money in cents; null means no cap. */
export type CampaignChange = Partial<
  Pick<Campaign, "enabled" | "minimumCents" | "monthlyBudgetCents" | "monthlyCap">
>;

/** Updates a campaign; `by` is the actor in the audit log. Returns false for an unknown campaign. */
export async function updateCampaign(id: string, change: CampaignChange, by: string): Promise<boolean> {
  return transaction(async (tx) => {
    const updated = await tx
      .update(campaigns)
      .set(change)
      .where(eq(campaigns.id, id))
      .returning({ id: campaigns.id });
    if (updated.length === 0) return false;
    await audit({ actor: by, action: "campaign_changed", subject: id, detail: { ...change } }, tx);
    return true;
  });
}

/** Revokes an unused coupon. Returns `in_use` when an order holds or used it, and null for an unknown code. */
export async function revokeCoupon(
  code: string,
  reason: string,
  by: string,
): Promise<"done" | "already" | "in_use" | null> {
  return transaction(async (tx) => {
    const [coupon] = await tx.select().from(coupons).where(eq(coupons.code, code)).for("update");
    if (!coupon) return null;
    if (coupon.state === "revoked") return "already";
    if (coupon.state !== "open") return "in_use";
    await tx.update(coupons).set({ state: "revoked", promisedCents: 0 }).where(eq(coupons.id, coupon.id));
    await returnBudget(tx, coupon);
    await audit({ actor: by, action: "coupon_revoked", subject: coupon.id, detail: { reason } }, tx);
    return "done";
  });
}

/**
 * Gives an account a coupon of a campaign and mails it. An account may receive several, within the campaign's budget.
 * @throws ShopError voucher_unavailable
 */
export async function grantCoupon(
  campaignId: string,
  email: string,
  by: string,
): Promise<{ code: string } | "no campaign" | "no account"> {
  return transaction(async (tx) => {
    const campaign = await findCampaign(tx, eq(campaigns.id, campaignId));
    if (!campaign) return "no campaign";
    const [user] = await tx
      .select({ id: users.id, email: users.email, locale: users.locale })
      .from(users)
      .where(and(eq(sql`lower(${users.email})`, email.toLowerCase()), isNull(users.deletedAt)));
    if (!user) return "no account";
    const issueKey = exactIssueKey(`gift:${newId("gift")}`);
    const coupon = await issueCoupon(tx, campaign, { userId: user.id, issueKey });
    await queueCouponMail(tx, coupon.id, user.email, isLocale(user.locale) ? user.locale : "en");
    const detail = { campaignId, to: user.id };
    await audit({ actor: by, action: "coupon_given", subject: coupon.id, detail }, tx);
    return { code: coupon.code };
  });
}
