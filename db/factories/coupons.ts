import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { campaigns } from "@/db/schema/coupons";
import { newId, randomText } from "@/lib/platform/crypto/ids";

export type CampaignInput = Partial<Omit<typeof campaigns.$inferInsert, "id" | "startsAt" | "endsAt">> & {
  /** Postgres intervals from now, e.g. "-1 day" */
  startsIn?: string;
  endsIn?: string;
};

/** The time this interval from now; null without one. */
const fromNow = (interval: string | undefined) =>
  interval === undefined ? null : sql`shop_now() + ${interval}::interval`;

/** A campaign, by default running and $5 off; returns its id. */
export async function createCampaign({ startsIn, endsIn, ...terms }: CampaignInput = {}): Promise<string> {
  const id = `test-${randomText(8)}`;
  await db.insert(campaigns).values({
    id,
    kind: "promotion",
    title: { en: "Test", zh: "测试", ja: "テスト" },
    amountCents: terms.percent === undefined ? 500 : null,
    ...terms,
    startsAt: fromNow(startsIn),
    endsAt: fromNow(endsIn),
  });
  return id;
}

export type CouponInput = CampaignInput & {
  userId?: string;
  campaignId?: string;
  state?: "open" | "revoked";
};

/** A coupon, by default without an owner; returns its code. */
export async function createCoupon({ userId, state, ...input }: CouponInput = {}): Promise<string> {
  const { campaignId = await createCampaign(input), startsIn, endsIn } = input;
  const code = `TEST-${randomText(8).toUpperCase()}`;
  await db.execute(sql`
    insert into coupons (id, code, campaign_id, user_id, amount_cents, percent, max_discount_cents, minimum_cents,
      first_order_only, free, starts_at, expires_at, state)
    select ${newId("cpn")}, ${code}, id, ${userId ?? null}, amount_cents, percent, max_discount_cents, minimum_cents,
      first_order_only, free, ${fromNow(startsIn)}, ${fromNow(endsIn)}, ${state ?? "open"}
    from campaigns where id = ${campaignId}`);
  return code;
}
