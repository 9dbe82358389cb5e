import { randomInt } from "node:crypto";
import { and, eq, type SQL, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { verifiedEmails } from "@/db/schema/accounts";
import { campaigns, coupons } from "@/db/schema/coupons";
import { lockBuyer } from "@/lib/cart/lock-buyer";
import {
  BUDGET_DAY,
  BUDGET_MONTH,
  budgetPerCoupon,
  type Campaign,
  couponExpiry,
  findCampaign,
  type IssueKey,
  issuedCouponsSql,
  PROMISED_CENTS,
  PROMISED_TODAY_CENTS,
  promotionIssueKey,
  shopNow,
  voucherIssueKey,
} from "@/lib/coupons/campaigns/queries";
import { type Claimant, type ClaimOrigin, recordClaim } from "@/lib/coupons/claims/commands";
import type { ClaimVoucherInput, SendCouponInput } from "@/lib/coupons/contract";
import type { Coupon, CouponTerms } from "@/lib/coupons/discount/rules";
import {
  findEarlierOrder,
  requireEligibleRecipient,
  selectCoupons,
  toCouponView,
} from "@/lib/coupons/queries";
import { queueMail } from "@/lib/notifications/queue-mail";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";

// Letters and digits that are not confused in print or speech.
const ALPHABET = "23456789ABCDEFGHJKMNPQRSTUVWXYZ";
const PREFIX = { daily: "DAY", new_user: "FIRST", inviter: "THANKS", promotion: "PASS" } as const;

const randomLetters = (count: number) =>
  Array.from({ length: count }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");

/** An unguessable code: ten random characters of 31. */
const newCouponCode = (kind: Campaign["kind"]) => `${PREFIX[kind]}-${randomLetters(5)}-${randomLetters(5)}`;

/**
 * Issues a coupon of an enabled campaign, within its period and budgets, and once per recipient. Locks the account, so
 * that parallel requests of one account run one after the other. `claimant`: somebody who claims it, which is limited per
 * mail domain, device and address group.
 * @throws ShopError voucher_unavailable, already_claimed, claims_full
 */
export async function issueCoupon(
  tx: Tx,
  campaign: Campaign,
  { userId, issueKey, claimant }: { userId: string; issueKey: IssueKey; claimant?: Claimant },
): Promise<Coupon> {
  await lockBuyer(tx, userId);
  const [issued] = await selectCoupons(tx, issuedCouponsSql(userId, issueKey));
  if (issued) throw new ShopError("already_claimed");
  await takeBudget(tx, campaign);
  const id = newId("cpn");
  const expiresAt = couponExpiry(campaign, await shopNow(tx));
  const {
    kind,
    title,
    amountCents,
    percent,
    maxDiscountCents,
    minimumCents,
    firstOrderOnly,
    free,
    startsAt,
  } = campaign;
  const [coupon] = await tx
    .insert(coupons)
    .values({
      id,
      code: newCouponCode(kind),
      campaignId: campaign.id,
      userId,
      amountCents,
      percent,
      maxDiscountCents,
      minimumCents,
      firstOrderOnly,
      free,
      startsAt,
      expiresAt,
      issueKey: issueKey.key,
      promisedCents: budgetPerCoupon(campaign),
      promisedMonth: BUDGET_MONTH,
      boundAt: sql`shop_now()`,
    })
    .onConflictDoNothing({ target: coupons.issueKey })
    .returning();
  if (!coupon) throw new ShopError("already_claimed");
  if (claimant) await recordClaim(tx, { couponId: id, campaignId: campaign.id }, claimant);
  return { ...coupon, kind, title };
}

/**
 * Takes a coupon's share of the budgets of the month and the day, for a campaign that issues coupons now. Updating the
 * campaign's row serializes claims on the rest of them.
 */
async function takeBudget(tx: Tx, campaign: Campaign): Promise<void> {
  const isRunning = sql`enabled and coalesce(starts_at, shop_now()) <= shop_now()
    and coalesce(ends_at, 'infinity') > shop_now()`;
  if (!(await chargeBudget(tx, campaign, isRunning))) throw new ShopError("voucher_unavailable");
}

/** Charges both budgets with a coupon. Returns false where one of them is spent, or the campaign does not meet the condition. */
export async function chargeBudget(
  tx: Tx,
  campaign: CouponTerms & { id: string },
  condition: SQL,
): Promise<boolean> {
  const promisedCents = sql`${PROMISED_CENTS} + ${budgetPerCoupon(campaign)}::int`;
  const promisedTodayCents = sql`${PROMISED_TODAY_CENTS} + ${budgetPerCoupon(campaign)}::int`;
  const updated = await tx.execute<{ id: string }>(sql`
    update campaigns set promised_cents = ${promisedCents}, budget_month = ${BUDGET_MONTH},
      promised_today_cents = ${promisedTodayCents}, budget_day = ${BUDGET_DAY}
    where id = ${campaign.id} and ${condition} and (monthly_budget_cents is null or ${promisedCents} <= monthly_budget_cents)
      and (daily_budget_cents is null or ${promisedTodayCents} <= daily_budget_cents)
    returning id`);
  return updated.length > 0;
}

type CouponBudget = { campaignId: string; promisedCents: number; promisedMonth: string | null };

/** Gives the budget that a coupon held back to its campaign, within its month. */
export async function returnBudget(tx: Tx, coupon: CouponBudget): Promise<void> {
  await tx
    .update(campaigns)
    .set({ promisedCents: sql`greatest(0, ${campaigns.promisedCents} - ${coupon.promisedCents})` })
    .where(
      sql`${campaigns.id} = ${coupon.campaignId} and ${campaigns.budgetMonth} = ${coupon.promisedMonth}`,
    );
}

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

export const queueCouponMail = (tx: Tx, couponId: string, to: string, locale: Locale) =>
  queueMail(tx, { event: "coupon", to, locale, refs: { couponId }, dedupeKey: `coupon:${couponId}` });

/** Coupons are mailed to verified addresses only. */
async function assertVerifiedAddress({ userId, email }: UserViewer, to: string): Promise<void> {
  if (to === email.toLowerCase()) return;
  const verified = await db.$count(
    verifiedEmails,
    and(eq(verifiedEmails.userId, userId), eq(sql`lower(${verifiedEmails.email})`, to)),
  );
  if (verified === 0) throw new ShopError("delivery_email_unverified", { params: { email: to } });
}

/**
 * Expires the coupons of a deleted account; the job returns their budget. The rows stay anonymous, so that an email
 * identity receives a voucher only once.
 */
export async function expireCouponsOfUser(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`
    update coupons set expires_at = shop_now()
    where user_id = ${userId} and state = 'open' and coalesce(expires_at, 'infinity') > shop_now()`);
}

/** Begins the budgets of a new day, so that cached pages offer coupons again that had run out. */
export async function beginDailyBudgets(): Promise<void> {
  await db.execute(sql`
    update campaigns set promised_today_cents = 0, budget_day = ${BUDGET_DAY}
    where promised_today_cents > 0 and budget_day <> ${BUDGET_DAY}`);
}

/** Gives the budget that expired coupons hold back to their campaigns, within its month. Returns their number. */
export async function expireCoupons(): Promise<number> {
  return transaction(async (tx) => {
    const expired = await tx.execute<CouponBudget>(sql`
      with expired as (
        select id, promised_cents from coupons
        where state = 'open' and promised_cents > 0 and expires_at <= shop_now()
        order by expires_at limit 1000 for update skip locked)
      update coupons c set promised_cents = 0 from expired where c.id = expired.id
      returning c.campaign_id as "campaignId", expired.promised_cents as "promisedCents", c.promised_month as "promisedMonth"`);
    for (const coupon of expired) await returnBudget(tx, coupon);
    return expired.length;
  });
}
