import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import { issueCoupon } from "@/lib/coupons/vouchers/commands";
import { queueMail } from "@/lib/notifications/commands";
import { audit } from "@/lib/platform/audit";
import { newId } from "@/lib/platform/crypto/ids";
import { isLocale } from "@/lib/platform/i18n/locales";
import { exactIssueKey, findCampaign } from "./queries";

/** Changes of a campaign by staff. Money in cents; null means no cap. */
export type CampaignChange = {
  enabled?: boolean;
  minimumCents?: number;
  monthlyBudgetCents?: number | null;
  monthlyCap?: number | null;
};

/** Updates a campaign; `by` is the actor in the audit log. Returns false for an unknown campaign. */
export async function updateCampaign(id: string, change: CampaignChange, by: string): Promise<boolean> {
  return transaction(async (tx) => {
    const sets = [
      change.enabled !== undefined && sql`enabled = ${change.enabled}`,
      change.minimumCents !== undefined && sql`minimum_cents = ${change.minimumCents}`,
      change.monthlyBudgetCents !== undefined && sql`monthly_budget_cents = ${change.monthlyBudgetCents}`,
      change.monthlyCap !== undefined && sql`monthly_cap = ${change.monthlyCap}`,
    ].filter((set) => set !== false);
    const updated = await tx.execute(
      sql`update campaigns set ${sql.join(sets, sql`, `)} where id = ${id} returning id`,
    );
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
    const [coupon] = await tx.execute<{
      id: string;
      state: string;
      promised_cents: number;
      promised_month: string | null;
      campaign_id: string;
    }>(sql`
      select id, state, promised_cents, promised_month, campaign_id from coupons where code = ${code} for update`);
    if (!coupon) return null;
    if (coupon.state === "revoked") return "already";
    if (coupon.state !== "open") return "in_use";
    await tx.execute(sql`update coupons set state = 'revoked', promised_cents = 0 where id = ${coupon.id}`);
    await tx.execute(sql`
      update campaigns set promised_cents = greatest(0, promised_cents - ${coupon.promised_cents})
      where id = ${coupon.campaign_id} and budget_month = ${coupon.promised_month}`);
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
    const campaign = await findCampaign(tx, sql`g.id = ${campaignId}`);
    if (!campaign) return "no campaign";
    const [user] = await tx.execute<{ id: string; email: string; locale: string }>(
      sql`select id, email, locale from users where lower(email) = ${email.toLowerCase()} and deleted_at is null`,
    );
    if (!user) return "no account";
    const coupon = await issueCoupon(tx, campaign, {
      userId: user.id,
      issueKey: exactIssueKey(`gift:${newId("gift")}`),
    });
    await queueMail(tx, {
      event: "coupon",
      to: user.email,
      locale: isLocale(user.locale) ? user.locale : "en",
      refs: { couponId: coupon.id },
      dedupeKey: `coupon:${coupon.id}`,
    });
    await audit(
      { actor: by, action: "coupon_given", subject: coupon.id, detail: { campaignId, to: user.id } },
      tx,
    );
    return { code: coupon.code };
  });
}
