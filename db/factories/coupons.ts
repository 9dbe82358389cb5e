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

/** The moment this interval from now; null without one. */
const moment = (interval: string | undefined) =>
  interval === undefined ? null : sql`shop_now() + ${interval}::interval`;

/** A running campaign of $5 off by default; returns its id. */
export async function createCampaign(given: CampaignInput = {}): Promise<string> {
  const id = `test-${randomText(8)}`;
  const amount = given.percent === undefined ? (given.amountCents ?? 500) : null;
  const { kind = "promotion", code, percent, maxDiscountCents, minimumCents, firstOrderOnly } = given;
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
    monthlyBudgetCents: given.monthlyBudgetCents,
    startsAt: moment(given.startsIn),
    endsAt: moment(given.endsIn),
  });
  return id;
}

export type CouponInput = CampaignInput & {
  userId?: string;
  campaignId?: string;
  state?: "open" | "revoked";
};

/** An unbound coupon by default; returns its code. */
export async function createCoupon(given: CouponInput = {}): Promise<string> {
  const campaignId = given.campaignId ?? (await createCampaign(given));
  const code = `TEST-${randomText(8).toUpperCase()}`;
  await db.execute(sql`
    insert into coupons (id, code, campaign_id, user_id, amount_cents, percent, max_discount_cents, minimum_cents,
      first_order_only, starts_at, expires_at, state)
    select ${newId("cpn")}, ${code}, id, ${given.userId ?? null}, amount_cents, percent, max_discount_cents, minimum_cents,
      first_order_only, ${moment(given.startsIn)}, ${moment(given.endsIn)}, ${given.state ?? "open"}
    from campaigns where id = ${campaignId}`);
  return code;
}
