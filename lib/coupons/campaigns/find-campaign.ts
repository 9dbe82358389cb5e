import { desc, eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { campaigns } from "@/db/schema/coupons";
import type { Coupon } from "@/lib/coupons/rules-discount";
import { budgetPerCoupon, PROMISED_CENTS, PROMISED_TODAY_CENTS } from "./charge-budget";

/** A campaign, and what is left of the budgets of this month and this day in cents; null: no cap. */
export type Campaign = typeof campaigns.$inferSelect & { leftCents: number | null };

const MAX_RUNNING = 500;

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
