import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { campaigns } from "@/db/schema/coupons";
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

/** The time this interval from now; null without one. */
const fromNow = (interval: string | undefined) =>
  interval === undefined ? null : sql`shop_now() + ${interval}::interval`;

/** A campaign, by default running and $5 off; returns its id. */
export async function createCampaign(input: CampaignInput = {}): Promise<string> {
  const id = `test-${randomText(8)}`;
  const amount = input.percent === undefined ? (input.amountCents ?? 500) : null;
  const { kind = "promotion", code, percent, maxDiscountCents, minimumCents, firstOrderOnly } = input;
  await db.insert(campaigns).values({
    id,
    kind,
    title: { en: "Test", zh: "测试", ja: "テスト" },
    code,
    amountCents: amount,
    percent,
    maxDiscountCents,
    minimumCents,
    firstOrderOnly,
    monthlyBudgetCents: input.monthlyBudgetCents,
    startsAt: fromNow(input.startsIn),
    endsAt: fromNow(input.endsIn),
  });
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
  await db.execute(sql`
    insert into coupons (id, code, campaign_id, user_id, amount_cents, percent, max_discount_cents, minimum_cents,
      first_order_only, starts_at, expires_at, state)
    select ${newId("cpn")}, ${code}, id, ${input.userId ?? null}, amount_cents, percent, max_discount_cents, minimum_cents,
      first_order_only, ${fromNow(input.startsIn)}, ${fromNow(input.endsIn)}, ${input.state ?? "open"}
    from campaigns where id = ${campaignId}`);
  return code;
}
