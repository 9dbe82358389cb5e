import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { POST as bind } from "@/app/api/v1/auth/coupon/bind/route";
import { POST as preview } from "@/app/api/v1/auth/coupon/preview/route";
import { POST as query } from "@/app/api/v1/auth/coupon/query/route";
import { POST as send } from "@/app/api/v1/auth/coupon/send/route";
import { POST as changeCoupon } from "@/app/api/v1/order/coupon/route";
import { POST as create } from "@/app/api/v1/order/create/route";
import { POST as claim } from "@/app/api/v1/voucher/free/claim/route";
import { closeDatabase, db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { type CampaignInput, type CouponInput, createCampaign, createCoupon } from "@/db/factories/coupons";
import { createCartLine, createOrder } from "@/db/factories/orders";
import { CLAIMS_PER_DAY } from "@/lib/coupons/rules";
import { hmac } from "@/lib/platform/crypto/hmac";
import { newId, randomText } from "@/lib/platform/crypto/ids";
import type { ErrorName, ErrorParams } from "@/lib/platform/errors";
import { formatDate } from "@/lib/platform/format";
import type { Locale } from "@/lib/platform/i18n/locales";
import { formatPrice } from "@/lib/platform/money";
import { call } from "./call";
import { describeRejections, type RejectionScenarios, recordChanges } from "./rejections";

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
recordChanges();
afterAll(closeDatabase);

/** A user with a $20 pass in the cart. */
async function createShopper(
  options: { email?: string; verified?: boolean } = {},
  plan = planId,
): Promise<SignedInUser> {
  const user = await createSignedInUser(options);
  await createCartLine(user.id, plan);
  return user;
}
const createDisposableShopper = () =>
  createShopper({ email: `thrown-${randomText(8).toLowerCase()}@mailinator.com` });
async function createPublicCode(input: CampaignInput = {}): Promise<string> {
  const code = `OPEN${randomText(8).toUpperCase()}`;
  await createCampaign({ ...input, code });
  return code;
}
async function createUserAndCoupon(input: CouponInput = {}, user?: SignedInUser) {
  return { user: user ?? (await createShopper()), coupon_code: await createCoupon(input) };
}
async function createReturningShopper(): Promise<SignedInUser> {
  const user = await createShopper();
  await createOrder(user, planId, { status: "completed" });
  return user;
}
/** A user with a pass in the cart and an unpaid order. */
async function createShopperWithUnpaidOrder(): Promise<SignedInUser> {
  const user = await createShopper();
  await createOrder(user, planId);
  return user;
}
/** A coupon that an unpaid order of its owner holds. */
async function createReservedCoupon() {
  const input = await createUserAndCoupon();
  const { id } = await createOrder(input.user, planId);
  await db.execute(sql`
    update coupons set state = 'reserved', order_id = ${id}, user_id = ${input.user.id} where code = ${input.coupon_code}`);
  return input;
}
async function createUsedCoupon() {
  const input = await createReservedCoupon();
  await db.execute(
    sql`update coupons set state = 'used', used_at = shop_now() where code = ${input.coupon_code}`,
  );
  return input;
}
async function createEarlyCoupon() {
  const input = await createUserAndCoupon({ startsIn: "2 days" });
  const [row] = await db.execute<{ at: string }>(
    sql`select starts_at as at from coupons where code = ${input.coupon_code}`,
  );
  return { ...input, params: (locale: Locale) => ({ date: formatDate(new Date(row!.at), locale) }) };
}

/** A shopper whose mail domain has claimed as many coupons of the campaign today as it may. */
async function createShopperOfFullDomain(campaignId: string): Promise<SignedInUser> {
  const domain = `full-${randomText(8).toLowerCase()}.example`;
  for (let n = 0; n < CLAIMS_PER_DAY.mailDomain; n += 1) {
    const code = await createCoupon({ campaignId });
    await db.execute(sql`
      insert into coupon_claims (coupon_id, campaign_id, mail_domain)
      select id, campaign_id, ${hmac("mail-domain", domain)} from coupons where code = ${code}`);
  }
  return createShopper({ email: `one-more@${domain}` });
}

type CouponScenario = { user: SignedInUser; coupon_code: string; params?: (locale: Locale) => ErrorParams };
/** By error name, a user and a coupon code that is rejected with it. */
const CODES = {
  coupon_unknown: async () => ({ user: await createShopper(), coupon_code: "NOTHING" }),
  coupon_used: createUsedCoupon,
  coupon_held: createReservedCoupon,
  coupon_expired: () => createUserAndCoupon({ endsIn: "-1 day" }),
  coupon_not_yet_valid: createEarlyCoupon,
  coupon_bound: async () => createUserAndCoupon({ userId: (await createSignedInUser()).id }),
  coupon_invalid: () => createUserAndCoupon({ state: "revoked" }),
  coupon_below_minimum: async () => ({
    ...(await createUserAndCoupon({ minimumCents: 2001 })),
    params: (locale: Locale) => ({ minimum: formatPrice(2001, locale) }),
  }),
  coupon_first_order: async () =>
    createUserAndCoupon({ firstOrderOnly: true }, await createReturningShopper()),
  coupon_order_open: async () =>
    createUserAndCoupon({ firstOrderOnly: true }, await createShopperWithUnpaidOrder()),
  coupon_not_applied: async () => createUserAndCoupon({ percent: 1 }, await createShopper({}, cheapPlanId)),
  coupon_own_product: async () => {
    const shopper = await createShopper();
    await db.execute(sql`
      insert into merchant_members (id, merchant_id, user_id, role)
      select ${newId("mem")}, p.merchant_id, ${shopper.id}, 'owner' from cart_lines c join products p on p.id = c.product_id
      where c.user_id = ${shopper.id}`);
    return createUserAndCoupon({}, shopper);
  },
  email_unverified: async () => ({
    user: await createShopper({ verified: false }),
    coupon_code: await createPublicCode(),
  }),
  throwaway_address: async () => ({
    user: await createDisposableShopper(),
    coupon_code: await createPublicCode(),
  }),
  voucher_unavailable: async () => ({
    user: await createShopper(),
    coupon_code: await createPublicCode({ amountCents: 500, monthlyBudgetCents: 499 }),
  }),
  claims_full: async () => {
    const coupon_code = `FULL${randomText(8).toUpperCase()}`;
    return {
      user: await createShopperOfFullDomain(await createCampaign({ code: coupon_code })),
      coupon_code,
    };
  },
} satisfies Partial<Record<ErrorName, () => Promise<CouponScenario>>>;

/** The scenarios of `CODES` except some, for a call whose only field is the code. */
function scenariosExcept(...excluded: (keyof typeof CODES)[]): RejectionScenarios {
  const scenarios = Object.entries(CODES).filter(([name]) => !excluded.includes(name as keyof typeof CODES));
  return Object.fromEntries(
    scenarios.map(([name, scenario]) => [
      name,
      async () => {
        const { coupon_code, ...more }: CouponScenario = await scenario();
        return { ...more, body: { coupon_code } };
      },
    ]),
  );
}

describeRejections("/auth/coupon/query", query, {
  ...scenariosExcept("voucher_unavailable", "claims_full"),
  nothing_selected: async () => ({
    user: await createSignedInUser(),
    body: { coupon_code: await createCoupon() },
  }),
});
describeRejections("/order/create", create, scenariosExcept());

/** The scenarios of `CODES` with the pass of the cart in an unpaid order. */
const scenariosWithOrder: RejectionScenarios = Object.fromEntries(
  // An empty budget is found before the order is changed, as an invalid code.
  Object.entries(scenariosExcept("voucher_unavailable")).map(([name, scenario]) => [
    name,
    async (locale: Locale) => {
      const request = await scenario(locale);
      const user = request.user!;
      const [line] = await db.execute<{ planId: number }>(sql`
        select plan_id as "planId" from cart_lines where user_id = ${user.id}`);
      const { id } = await createOrder(user, line!.planId);
      return { ...request, body: { ...(request.body as object), order_id: id } };
    },
  ]),
);
describeRejections("/order/coupon", changeCoupon, {
  ...scenariosWithOrder,
  order_not_payable: async () => {
    const user = await createShopper();
    const { id } = await createOrder(user, planId, { holdMinutes: -1 });
    return { user, body: { order_id: id } };
  },
});
// A coupon that starts later or does not apply to the current cart can already be previewed and bound.
const codeOnlyRejections = [
  "coupon_not_yet_valid",
  "coupon_below_minimum",
  "coupon_first_order",
  "coupon_order_open",
  "coupon_not_applied",
  "coupon_own_product",
] as const;
describeRejections("/auth/coupon/preview", preview, scenariosExcept(...codeOnlyRejections, "claims_full"));
describeRejections("/auth/coupon/bind", bind, {
  ...scenariosExcept(...codeOnlyRejections),
  coupon_code_invalid: async () => ({ user: await createShopper(), body: { coupon_code: " " } }),
});

const createCampaignBody = async (input: CampaignInput = {}) => ({ campaign: await createCampaign(input) });
describeRejections("/auth/coupon/send", send, {
  email_unverified: async () => ({
    user: await createShopper({ verified: false }),
    body: await createCampaignBody(),
  }),
  throwaway_address: async () => ({
    user: await createDisposableShopper(),
    body: await createCampaignBody(),
  }),
  voucher_unavailable: async () => ({
    user: await createShopper(),
    body: await createCampaignBody({ endsIn: "-1 hour" }),
  }),
  claims_full: async () => {
    const body = await createCampaignBody();
    return { user: await createShopperOfFullDomain(body.campaign), body };
  },
});

const daily = { type: "daily" };
describeRejections("/voucher/free/claim", claim, {
  email_unverified: async () => ({ user: await createShopper({ verified: false }), body: daily }),
  throwaway_address: async () => ({ user: await createDisposableShopper(), body: daily }),
  coupon_first_order: async () => ({ user: await createReturningShopper(), body: { type: "new_user" } }),
  claims_full: async () => ({ user: await createShopperOfFullDomain("daily"), body: daily }),
  voucher_unavailable: async () => {
    await db.execute(sql`update campaigns set monthly_budget_cents = 0 where id = 'daily'`);
    return { user: await createShopper(), body: daily };
  },
});

it("a public code is bound once under concurrent requests, and the others are rejected with 40908", async () => {
  const [user, coupon_code] = [await createShopper(), await createPublicCode()];
  const headers = { authorization: user.bearer };
  const bindCode = () => call(bind, "/auth/coupon/bind", { body: { coupon_code }, headers });
  const responses = await Promise.all([bindCode(), bindCode(), bindCode()]);
  expect(responses.map(({ body }) => body.code).sort()).toEqual(["200", "40908", "40908"]);
});
