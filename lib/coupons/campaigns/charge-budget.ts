import { type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { campaigns } from "@/db/schema/coupons";
import type { CouponTerms } from "@/lib/coupons/rules-discount";

/**
 * SQL: the calendar month of a budget, in UTC. A clock that goes back, as after a failover at the turn of a
 * month, does not start a month again, because that would reset what its coupons have taken.
 */
const BUDGET_MONTH = sql<string>`greatest(${campaigns.budgetMonth}, to_char(shop_now() at time zone 'UTC', 'YYYY-MM'))`;

/** SQL: what the coupons of this month hold of a campaign's budget. */
export const PROMISED_CENTS = sql<number>`case when ${campaigns.budgetMonth} = ${BUDGET_MONTH} then ${campaigns.promisedCents} else 0 end`;

/** SQL: the day of a budget, in UTC. */
const BUDGET_DAY = sql<string>`to_char(shop_now() at time zone 'UTC', 'YYYY-MM-DD')`;

/** SQL: what the coupons of this day took of a campaign's budget. */
export const PROMISED_TODAY_CENTS = sql<number>`case when ${campaigns.budgetDay} = ${BUDGET_DAY} then ${campaigns.promisedTodayCents} else 0 end`;

/** What one coupon takes from the budget, in cents: its amount, or the cap of its percentage. */
export const budgetPerCoupon = (terms: CouponTerms): number =>
  terms.amountCents ?? terms.maxDiscountCents ?? 0;

/**
 * Charges both budgets with a coupon. Returns the month that is charged; undefined where one of them is spent, or the campaign does
 * not meet the condition.
 */
export async function chargeBudget(
  tx: Tx,
  campaign: CouponTerms & { id: string },
  condition: SQL,
): Promise<string | undefined> {
  const promisedCents = sql`${PROMISED_CENTS} + ${budgetPerCoupon(campaign)}::int`;
  const promisedTodayCents = sql`${PROMISED_TODAY_CENTS} + ${budgetPerCoupon(campaign)}::int`;
  const [charged] = await tx.execute<{ month: string }>(sql`
    update campaigns set promised_cents = ${promisedCents}, budget_month = ${BUDGET_MONTH},
      promised_today_cents = ${promisedTodayCents}, budget_day = ${BUDGET_DAY}
    where id = ${campaign.id} and ${condition} and (monthly_budget_cents is null or ${promisedCents} <= monthly_budget_cents)
      and (daily_budget_cents is null or ${promisedTodayCents} <= daily_budget_cents)
    returning budget_month as month`);
  return charged?.month;
}

export type CouponBudget = { campaignId: string; promisedCents: number; promisedMonth: string | null };

/** Gives the budget that a coupon held back to its campaign, within its month. */
export async function returnBudget(tx: Tx, coupon: CouponBudget): Promise<void> {
  await tx
    .update(campaigns)
    .set({ promisedCents: sql`greatest(0, ${campaigns.promisedCents} - ${coupon.promisedCents})` })
    .where(
      sql`${campaigns.id} = ${coupon.campaignId} and ${campaigns.budgetMonth} = ${coupon.promisedMonth}`,
    );
}

/** Begins the budgets of a new day, so that cached pages offer coupons again that had run out. */
export async function beginDailyBudgets(): Promise<void> {
  await db.execute(sql`
    update campaigns set promised_today_cents = 0, budget_day = ${BUDGET_DAY}
    where promised_today_cents > 0 and budget_day <> ${BUDGET_DAY}`);
}
