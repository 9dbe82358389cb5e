import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { POST as bind } from "@/app/api/v1/auth/coupon/bind/route";
import { POST as preview } from "@/app/api/v1/auth/coupon/preview/route";
import { POST as query } from "@/app/api/v1/auth/coupon/query/route";
import { POST as send } from "@/app/api/v1/auth/coupon/send/route";
import { POST as create } from "@/app/api/v1/order/create/route";
import { POST as claim } from "@/app/api/v1/voucher/free/claim/route";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { type CampaignInput, type CouponInput, createCampaign, createCoupon } from "@/db/factories/coupons";
import { createCartLine, createOrder } from "@/db/factories/orders";
import { randomText } from "@/lib/platform/crypto/ids";
import type { ErrorName, ErrorParams } from "@/lib/platform/errors";
import { formatDate } from "@/lib/platform/format";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice } from "@/lib/platform/money";
import { call } from "./call";
import { noteChanges, refusals, type Ways } from "./refused";

let planId: number;
let cheapPlanId: number;
beforeAll(async () => {
  const { plans } = await createProduct({
    plans: [
      { keys: 99, priceCents: 2000 },
      { type: "day", keys: 9, priceCents: 60 },
    ],
  });
  [planId, cheapPlanId] = plans.map((plan) => plan.id) as [number, number];
});
noteChanges();
afterAll(closeDatabase);

/** Somebody with a pass of $20 in the cart. */
async function shopper(
  wishes: { email?: string; verified?: boolean } = {},
  plan = planId,
): Promise<SignedInUser> {
  const who = await createSignedInUser(wishes);
  await createCartLine(who.id, plan);
  return who;
}
const thrown = () => shopper({ email: `thrown-${randomText(8).toLowerCase()}@mailinator.com` });
async function publicCode(given: CampaignInput = {}): Promise<string> {
  const code = `OPEN${randomText(8).toUpperCase()}`;
  await createCampaign({ ...given, code });
  return code;
}
async function coupon(given: CouponInput = {}, who?: SignedInUser) {
  return { who: who ?? (await shopper()), coupon_code: await createCoupon(given) };
}
async function returning(): Promise<SignedInUser> {
  const who = await shopper();
  await createOrder(who, planId, { status: "completed" });
  return who;
}
/** Somebody with a pass in the cart and an order that is not paid yet. */
async function deciding(): Promise<SignedInUser> {
  const who = await shopper();
  await createOrder(who, planId);
  return who;
}
/** A coupon that an order of its owner holds. */
async function reserved() {
  const given = await coupon();
  const { id } = await createOrder(given.who, planId);
  await db.execute(sql`
    update coupons set state = 'reserved', order_id = ${id}, user_id = ${given.who.id} where code = ${given.coupon_code}`);
  return given;
}
async function used() {
  const given = await reserved();
  await db.execute(
    sql`update coupons set state = 'used', used_at = shop_now() where code = ${given.coupon_code}`,
  );
  return given;
}
async function early() {
  const given = await coupon({ startsIn: "2 days" });
  const [row] = await db.execute<{ at: string }>(
    sql`select starts_at as at from coupons where code = ${given.coupon_code}`,
  );
  return { ...given, params: (locale: Locale) => ({ date: formatDate(new Date(row!.at), locale) }) };
}

type Held = { who: SignedInUser; coupon_code: string; params?: (locale: Locale) => ErrorParams };
/** How a code comes to be refused, wherever it is sent. */
const CODES = {
  coupon_unknown: async () => ({ who: await shopper(), coupon_code: "NOTHING" }),
  coupon_used: used,
  coupon_held: reserved,
  coupon_expired: () => coupon({ endsIn: "-1 day" }),
  coupon_not_yet_valid: early,
  coupon_bound: async () => coupon({ userId: (await createSignedInUser()).id }),
  coupon_invalid: () => coupon({ state: "revoked" }),
  coupon_below_minimum: async () => ({
    ...(await coupon({ minimumCents: 2001 })),
    params: (locale: Locale) => ({ minimum: formatPrice(2001, locale) }),
  }),
  coupon_first_order: async () => coupon({ firstOrderOnly: true }, await returning()),
  coupon_order_open: async () => coupon({ firstOrderOnly: true }, await deciding()),
  coupon_not_applied: async () => coupon({ percent: 1 }, await shopper({}, cheapPlanId)),
  email_unverified: async () => ({
    who: await shopper({ verified: false }),
    coupon_code: await publicCode(),
  }),
  throwaway_address: async () => ({ who: await thrown(), coupon_code: await publicCode() }),
  voucher_unavailable: async () => ({
    who: await shopper(),
    coupon_code: await publicCode({ amountCents: 500, monthlyBudgetCents: 499 }),
  }),
} satisfies Partial<Record<ErrorName, () => Promise<Held>>>;

/** These refusals of a code, by a call that takes the code and nothing else. */
function without(...left: (keyof typeof CODES)[]): Ways {
  const ways = Object.entries(CODES).filter(([name]) => !left.includes(name as keyof typeof CODES));
  return Object.fromEntries(
    ways.map(([name, way]) => [
      name,
      async () => {
        const { coupon_code, ...more }: Held = await way();
        return { ...more, body: { coupon_code } };
      },
    ]),
  );
}

refusals("/auth/coupon/query", query, {
  ...without("voucher_unavailable"),
  nothing_selected: async () => ({
    who: await createSignedInUser(),
    body: { coupon_code: await createCoupon() },
  }),
});
refusals("/order/create", create, without());
// One that starts later, or does not fit today's cart, may be kept already.
const keeping = without(
  "coupon_not_yet_valid",
  "coupon_below_minimum",
  "coupon_first_order",
  "coupon_order_open",
  "coupon_not_applied",
);
refusals("/auth/coupon/preview", preview, keeping);
refusals("/auth/coupon/bind", bind, {
  ...keeping,
  coupon_code_invalid: async () => ({ who: await shopper(), body: { coupon_code: " " } }),
});

const campaign = async (given: CampaignInput = {}) => ({ campaign: await createCampaign(given) });
refusals("/auth/coupon/send", send, {
  email_unverified: async () => ({ who: await shopper({ verified: false }), body: await campaign() }),
  throwaway_address: async () => ({ who: await thrown(), body: await campaign() }),
  voucher_unavailable: async () => ({ who: await shopper(), body: await campaign({ endsIn: "-1 hour" }) }),
});

const daily = { type: "daily" };
refusals("/voucher/free/claim", claim, {
  email_unverified: async () => ({ who: await shopper({ verified: false }), body: daily }),
  throwaway_address: async () => ({ who: await thrown(), body: daily }),
  coupon_first_order: async () => ({ who: await returning(), body: { type: "new_user" } }),
  voucher_unavailable: async () => {
    await db.execute(sql`update campaigns set monthly_budget_cents = 0 where id = 'daily'`);
    return { who: await shopper(), body: daily };
  },
});

it("a public code that two tabs keep at once is kept once, and the other tab hears that it is", async () => {
  const [who, coupon_code] = [await shopper(), await publicCode()];
  const headers = { authorization: who.bearer };
  const press = () => call(bind, "/auth/coupon/bind", { body: { coupon_code }, headers });
  const answers = await Promise.all([press(), press(), press()]);
  expect(answers.map(({ body }) => body.code).sort()).toEqual(["200", "40908", "40908"]);
});
