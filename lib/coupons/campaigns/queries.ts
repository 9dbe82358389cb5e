import { and, desc, eq, getTableColumns, like, or, type SQL, sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { campaigns, coupons } from "@/db/schema/coupons";
import type { VoucherType } from "@/lib/coupons/contract";
import type { Coupon, CouponTerms } from "@/lib/coupons/discount/rules";
import { emailIdentityHash } from "@/lib/platform/auth/email-identity";

/** A campaign, and what is left of the budgets of this month and this day in cents; null: no cap. */
export type Campaign = typeof campaigns.$inferSelect & { leftCents: number | null };

const MAX_RUNNING = 500;

/** SQL: the calendar month of a budget, in UTC. */
export const BUDGET_MONTH = sql<string>`to_char(shop_now() at time zone 'UTC', 'YYYY-MM')`;

/** SQL: what the coupons of this month hold of a campaign's budget. */
export const PROMISED_CENTS = sql<number>`case when ${campaigns.budgetMonth} = ${BUDGET_MONTH} then ${campaigns.promisedCents} else 0 end`;

/** SQL: the day of a budget, in UTC. */
export const BUDGET_DAY = sql<string>`to_char(shop_now() at time zone 'UTC', 'YYYY-MM-DD')`;

/** SQL: what the coupons of this day took of a campaign's budget. */
export const PROMISED_TODAY_CENTS = sql<number>`case when ${campaigns.budgetDay} = ${BUDGET_DAY} then ${campaigns.promisedTodayCents} else 0 end`;

/** SQL: what is left of both budgets; null where there is none. */
const LEFT_CENTS = sql<
  number | null
>`least(${campaigns.monthlyBudgetCents} - ${PROMISED_CENTS}, ${campaigns.dailyBudgetCents} - ${PROMISED_TODAY_CENTS})`;

export async function findCampaign(tx: Db, where: SQL | undefined): Promise<Campaign | null> {
  const [campaign] = await tx
    .select({ ...getTableColumns(campaigns), leftCents: LEFT_CENTS })
    .from(campaigns)
    .where(where);
  return campaign ?? null;
}

export async function shopNow(tx: Db): Promise<Date> {
  const [row] = await tx.execute<{ now: string }>(sql`select shop_now() as now`);
  return new Date(row!.now);
}

/** Whether another campaign or a coupon has this code: codes are unique among both. */
export async function isCodeTaken(tx: Db, code: string, campaignId: string | null): Promise<boolean> {
  const duplicates = await tx.execute(sql`
    select 1 from coupons where code = ${code} union all
    select 1 from campaigns where code = ${code} and id is distinct from ${campaignId} limit 1`);
  return duplicates.length > 0;
}

/** What one coupon takes from the budget, in cents: its amount, or the cap of its percentage. */
export const budgetPerCoupon = (terms: CouponTerms): number =>
  terms.amountCents ?? terms.maxDiscountCents ?? 0;

/** Whether the campaign is enabled, within its period, and has budget for one more coupon. */
export function isRunning(campaign: Campaign, now: Date): boolean {
  if (!campaign.enabled || (campaign.startsAt && now < campaign.startsAt)) return false;
  if (campaign.endsAt && now >= campaign.endsAt) return false;
  return campaign.leftCents === null || campaign.leftCents >= budgetPerCoupon(campaign);
}

/** The campaigns that issue coupons now, the newest first. */
export async function listRunningCampaigns(): Promise<Campaign[]> {
  const now = await shopNow(db);
  const enabled = await db
    .select({ ...getTableColumns(campaigns), leftCents: LEFT_CENTS })
    .from(campaigns)
    .where(eq(campaigns.enabled, true))
    .orderBy(desc(campaigns.createdAt), campaigns.id)
    .limit(MAX_RUNNING);
  return enabled.filter((campaign) => isRunning(campaign, now));
}

/** The expiry of a coupon issued now; null: never. */
export function couponExpiry({ validHours, endsAt }: Campaign, now: Date): Date | null {
  const validUntil = validHours === null ? null : new Date(now.getTime() + validHours * 3_600_000);
  if (!validUntil || !endsAt) return validUntil ?? endsAt;
  return validUntil < endsAt ? validUntil : endsAt;
}

/**
 * Limits a coupon to one per recipient. `key` is unique per email identity, also after the account was deleted.
 * `accountPattern` matches the keys of coupons that the account received under an earlier address.
 */
export type IssueKey = { key: string; accountPattern: string };

const issueKeyFor = (toKey: (emailIdentity: string) => string, email: string): IssueKey => ({
  key: toKey(emailIdentityHash(email)),
  accountPattern: toKey("%"),
});

/** A key that does not depend on the recipient. */
export const exactIssueKey = (key: string): IssueKey => ({ key, accountPattern: key });

/** The beginning of the issue keys of coupons that staff gave. */
export const GIVEN_PREFIX = "gift:";

/** What a percentage without a cap counts as. */
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

export const promotionIssueKey = (campaignId: string, email: string): IssueKey =>
  issueKeyFor((emailIdentity) => `promotion:${campaignId}:${emailIdentity}`, email);

/** The daily voucher, or the first-order bonus. A day is a day in UTC. */
export const voucherIssueKey = (type: VoucherType, email: string, now: Date): IssueKey =>
  issueKeyFor(
    (emailIdentity) =>
      type === "daily"
        ? `daily:${emailIdentity}:${now.toISOString().slice(0, 10)}`
        : `new_user:${emailIdentity}`,
    email,
  );

/** SQL: the coupons that this account, or another of the same email identity, received. */
export const issuedCouponsSql = (userId: string, { key, accountPattern }: IssueKey): SQL | undefined =>
  or(eq(coupons.issueKey, key), and(eq(coupons.userId, userId), like(coupons.issueKey, accountPattern)));

/**
 * The coupon that a campaign would issue, before it exists. Of a campaign past its end it counts as expired; of a
 * disabled one, or one without budget, as revoked.
 */
export function previewIssuedCoupon(campaign: Campaign, now: Date): Coupon {
  const { id, code, startsAt, endsAt } = campaign;
  const isOutsidePeriod = (startsAt && now < startsAt) || (endsAt && now >= endsAt);
  return {
    ...campaign,
    id: "",
    code: code ?? "",
    campaignId: id,
    userId: null,
    expiresAt: couponExpiry(campaign, now),
    state: isRunning(campaign, now) || isOutsidePeriod ? "open" : "revoked",
    orderId: null,
    usedAt: null,
  };
}

/** A campaign in the staff list. Money in cents. */
export type CampaignRow = {
  id: string;
  kind: string;
  title: string;
  code: string | null;
  amountCents: number | null;
  percent: number | null;
  minimumCents: number;
  monthlyBudgetCents: number | null;
  promisedCents: number;
  monthlyCap: number | null;
  enabled: boolean;
  endsAt: string | null;
  coupons: number;
  used: number;
  /** the sum of the discounts of its used coupons */
  discountCents: number;
};

export async function listCampaignsForStaff(): Promise<CampaignRow[]> {
  return db.execute<CampaignRow>(sql`
    select g.id, g.kind, g.title->>'en' as title, g.code, g.amount_cents as "amountCents", g.percent,
      g.minimum_cents as "minimumCents", g.monthly_budget_cents as "monthlyBudgetCents",
      case when g.budget_month = to_char(shop_now() at time zone 'UTC', 'YYYY-MM') then g.promised_cents else 0 end as "promisedCents",
      g.monthly_cap as "monthlyCap", g.enabled, g.ends_at as "endsAt", count(c.id)::int as coupons,
      count(c.id) filter (where c.state = 'used')::int as used,
      coalesce(sum(o.discount_cents) filter (where c.state = 'used'), 0)::int as "discountCents"
    from campaigns g left join coupons c on c.campaign_id = g.id left join orders o on o.id = c.order_id
    group by g.id order by g.created_at, g.id`);
}
