import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { type CouponBudget, returnBudget } from "@/lib/coupons/campaigns/charge-budget";

/**
 * Expires the coupons of a deleted account; the job returns their budget. The rows stay anonymous, so that an email
 * identity receives a voucher only once.
 */
export async function expireCouponsOfUser(tx: Tx, userId: string): Promise<void> {
  await tx.execute(sql`
    update coupons set expires_at = shop_now()
    where user_id = ${userId} and state = 'open' and coalesce(expires_at, 'infinity') > shop_now()`);
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
