import { isDeepStrictEqual } from "node:util";
import { and, eq, isNull, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { campaigns, coupons } from "@/db/schema/coupons";
import type { NewCampaignInput } from "@/lib/coupons/console/contract";
import type { Coupon } from "@/lib/coupons/discount/rules";
import { COUPON_GIVEN } from "@/lib/coupons/rules";
import { issueCoupon, queueCouponMail, returnBudget } from "@/lib/coupons/vouchers/commands";
import { audit } from "@/lib/platform/audit";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { isLocale } from "@/lib/platform/i18n/locales";
import { normalizeEmail } from "@/lib/platform/mail/address";
import { toCents } from "@/lib/platform/money";
import { type Campaign, exactIssueKey, findCampaign, GIVEN_PREFIX, isCodeTaken, shopNow } from "./queries";

type CampaignTerms = typeof campaigns.$inferSelect;

/** Changes of a campaign by staff. Money in cents; null means no cap. */
export type CampaignChange = Partial<
  Omit<
    CampaignTerms,
    "id" | "kind" | "createdAt" | "budgetMonth" | "promisedCents" | "budgetDay" | "promisedTodayCents"
  >
>;

/** The campaign with this id, locked; undefined for an unknown one. */
export async function lockCampaign(tx: Tx, id: string): Promise<CampaignTerms | undefined> {
  const [campaign] = await tx.select().from(campaigns).where(eq(campaigns.id, id)).for("update");
  return campaign;
}

/** Who changes a campaign, for the audit log, and who asked for what a second person agreed to. */
export type CampaignActor = { by: string; askedBy?: string };

/** Changes a locked campaign. Returns false when nothing changes. */
export async function changeLockedCampaign(
  tx: Tx,
  campaign: CampaignTerms,
  change: CampaignChange,
  { by, askedBy }: CampaignActor,
): Promise<boolean> {
  const names = Object.keys(change) as (keyof CampaignChange)[];
  const changed = names.filter((name) => !isDeepStrictEqual(campaign[name], change[name]));
  if (changed.length === 0) return false;
  await tx.update(campaigns).set(change).where(eq(campaigns.id, campaign.id));
  const valuesOf = (terms: CampaignChange) => Object.fromEntries(changed.map((name) => [name, terms[name]]));
  const detail = { before: valuesOf(campaign), after: valuesOf(change), ...(askedBy && { askedBy }) };
  await audit({ actor: by, action: "campaign_changed", subject: campaign.id, detail }, tx);
  return true;
}

/** Updates a campaign; `by` is the actor in the audit log. Returns false for an unknown campaign. */
export async function updateCampaign(id: string, change: CampaignChange, by: string): Promise<boolean> {
  return transaction(async (tx) => {
    const campaign = await lockCampaign(tx, id);
    if (!campaign) return false;
    await changeLockedCampaign(tx, campaign, change, { by });
    return true;
  });
}

/** Adds a promotion. Returns false where there is a campaign with this id. */
export async function addCampaign(
  tx: Tx,
  id: string,
  terms: Omit<typeof campaigns.$inferInsert, "id" | "kind">,
  { by, askedBy }: CampaignActor,
): Promise<boolean> {
  const created = await tx
    .insert(campaigns)
    .values({ id, kind: "promotion", ...terms })
    .onConflictDoNothing({ target: campaigns.id })
    .returning({ id: campaigns.id });
  if (created.length === 0) return false;
  const detail = { after: terms, ...(askedBy && { askedBy }) };
  await audit({ actor: by, action: "campaign_created", subject: id, detail }, tx);
  return true;
}

/**
 * Creates a promotion, switched off.
 * @throws ShopError campaign_exists, campaign_code_taken, period_invalid
 */
export async function createCampaign(
  tx: Tx,
  input: NewCampaignInput,
  actor: CampaignActor,
): Promise<{ campaign: string }> {
  await requireNewCampaign(tx, input);
  const toCentsOrNull = (usd: number | undefined) => (usd === undefined ? null : toCents(usd));
  const { campaign: id, title, percent = null, coupon_code: code = null } = input;
  const terms = {
    title,
    code,
    percent,
    amountCents: toCentsOrNull(input.amount),
    maxDiscountCents: toCentsOrNull(input.max_discount),
    minimumCents: toCents(input.minimum),
    monthlyBudgetCents: toCents(input.monthly_budget),
    dailyBudgetCents: toCentsOrNull(input.daily_budget),
    free: input.free,
    endsAt: new Date(input.ends_at),
    enabled: false,
  };
  if (!(await addCampaign(tx, id, terms, actor))) throw new ShopError("campaign_exists");
  return { campaign: id };
}

/** @throws ShopError campaign_exists, campaign_code_taken, period_invalid */
export async function requireNewCampaign(tx: Tx, input: NewCampaignInput): Promise<void> {
  const { campaign: id, coupon_code: code } = input;
  if (await lockCampaign(tx, id)) throw new ShopError("campaign_exists");
  if (code !== undefined && (await isCodeTaken(tx, code, id))) throw new ShopError("campaign_code_taken");
  if (new Date(input.ends_at) <= (await shopNow(tx))) throw new ShopError("period_invalid");
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
      .where(and(eq(sql`lower(${users.email})`, normalizeEmail(email)), isNull(users.deletedAt)));
    if (!user) return "no account";
    return { code: (await giveCoupon(tx, campaign, user, { by })).code };
  });
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
