import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { newId, randomText } from "@/lib/platform/crypto/ids";

export type CampaignInput = {
  kind?: "promotion" | "daily" | "new_user" | "inviter";
  code?: string;
  amountCents?: number;
  percent?: number;
  maxDiscountCents?: number;
  minimumCents?: number;
  firstOrderOnly?: boolean;
  monthlyBudgetCents?: number;
  /** Postgres intervals from now, e.g. "-1 day" */
  startsIn?: string;
  endsIn?: string;
};

/** A campaign, by default running and $5 off; returns its id. */
export async function createCampaign(input: CampaignInput = {}): Promise<string> {
  const id = `test-${randomText(8)}`;
  const amount = input.percent === undefined ? (input.amountCents ?? 500) : null;
  const fromNow = (interval: string | undefined) =>
    interval === undefined ? sql`null` : sql`shop_now() + ${interval}::interval`;
  await db.execute(sql`
    insert into campaigns (id, kind, title, code, amount_cents, percent, max_discount_cents, minimum_cents,
      first_order_only, monthly_budget_cents, starts_at, ends_at)
    values (${id}, ${input.kind ?? "promotion"}, '{"en": "Test", "zh": "测试", "ja": "テスト"}', ${input.code ?? null},
      ${amount}, ${input.percent ?? null}, ${input.maxDiscountCents ?? null}, ${input.minimumCents ?? 0},
      ${input.firstOrderOnly ?? false}, ${input.monthlyBudgetCents ?? null}, ${fromNow(input.startsIn)}, ${fromNow(input.endsIn)})`);
  return id;
}

export type CouponInput = CampaignInput & {
  userId?: string;
  campaignId?: string;
  state?: "open" | "revoked";
};

/** A coupon, by default without an owner; returns its code. */
export async function createCoupon(input: CouponInput = {}): Promise<string> {
  const campaignId = input.campaignId ?? (await createCampaign(input));
  const code = `TEST-${randomText(8).toUpperCase()}`;
  const fromNow = (interval: string | undefined) =>
    interval === undefined ? sql`null` : sql`shop_now() + ${interval}::interval`;
  await db.execute(sql`
    insert into coupons (id, code, campaign_id, user_id, amount_cents, percent, max_discount_cents, minimum_cents,
      first_order_only, starts_at, expires_at, state)
    select ${newId("cpn")}, ${code}, id, ${input.userId ?? null}, amount_cents, percent, max_discount_cents, minimum_cents,
      first_order_only, ${fromNow(input.startsIn)}, ${fromNow(input.endsIn)}, ${input.state ?? "open"}
    from campaigns where id = ${campaignId}`);
  return code;
}
