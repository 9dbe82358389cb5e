import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { POST as bind } from "@/app/api/v1/auth/coupon/bind/route";
import { POST as preview } from "@/app/api/v1/auth/coupon/preview/route";
import { POST as query } from "@/app/api/v1/auth/coupon/query/route";
import { POST as send } from "@/app/api/v1/auth/coupon/send/route";
import { GET as mine } from "@/app/api/v1/auth/coupon/user/route";
import { POST as create } from "@/app/api/v1/order/create/route";
import { GET as referrals } from "@/app/api/v1/referral/info/route";
import { POST as claim } from "@/app/api/v1/voucher/free/claim/route";
import { GET as status } from "@/app/api/v1/voucher/free/status/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createCampaign, createCoupon } from "@/db/factories/coupons";
import { createCartLine } from "@/db/factories/orders";
import type { Handler } from "@/lib/platform/api/declaration";
import * as sale from "../setup/sale";
import { call } from "./call";

let buyer: sale.Buyer;
let cart: string;
beforeAll(async () => {
  buyer = await sale.createBuyer();
  const plan = (await createProduct({ plans: [{ keys: 9, priceCents: 2000 }] })).plans[0]!;
  cart = await createCartLine(buyer.id, plan.id);
});
// The tests of one buyer try more codes than a minute allows.
beforeEach(async () => {
  await db.execute(sql`delete from rate_limits`);
});
afterAll(sale.closeSale);

const post = (
  handler: Handler,
  path: string,
  body: object,
  who: sale.Buyer | null = buyer,
  language = "en",
) =>
  call(handler, path, {
    body,
    headers: { "accept-language": language, ...(who && { authorization: who.bearer }) },
  });
const check = (body: object, language = "en") => post(query, "/auth/coupon/query", body, buyer, language);

describe("attempts at coupon codes", () => {
  it("share one counter across all calls that take a code", async () => {
    const guesser = await sale.createBuyer();
    const plan = (await createProduct({ plans: [{ keys: 9 }] })).plans[0]!;
    const cart_ids = [await createCartLine(guesser.id, plan.id)];
    const guess = (n: number) => ({ coupon_code: `GUESS-${n}` });
    const calls = [
      (n: number) => post(create, "/order/create", { ...guess(n), cart_record_ids: cart_ids }, guesser),
      (n: number) => post(query, "/auth/coupon/query", { ...guess(n), cart_ids }, guesser),
      (n: number) => post(preview, "/auth/coupon/preview", guess(n), guesser),
      (n: number) => post(bind, "/auth/coupon/bind", guess(n), guesser),
    ];
    const statuses: number[] = [];
    for (let n = 0; n < 20; n++) statuses.push((await calls[n % 4]!(n)).status);
    expect(statuses).toEqual(Array(20).fill(404));
    const refused = await Promise.all(calls.map((one) => one(20)));
    expect(refused.map((response) => response.status)).toEqual([429, 429, 429, 429]);
    for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    const withoutCode = await post(create, "/order/create", { cart_record_ids: cart_ids }, guesser);
    expect(withoutCode.status).toBe(200);
  });

  it("are counted per address group, whichever account makes them", async () => {
    const plan = (await createProduct({ plans: [{ keys: 9 }] })).plans[0]!;
    const statuses: number[] = [];
    for (let account = 0; account < 6; account++) {
      const guesser = await sale.createBuyer({ verified: false });
      await createCartLine(guesser.id, plan.id);
      for (let n = 0; n < 19; n++) {
        const body = { coupon_code: `GUESS-${n}` };
        const ip = `2001:db8:c0de::${account}:${n}`;
        const headers = { authorization: guesser.bearer };
        statuses.push((await call(create, "/order/create", { body, headers, ip })).status);
      }
    }
    expect(statuses.filter((status) => status !== 429)).toHaveLength(100);
  });
});

describe("POST /auth/coupon/query", () => {
  it("returns state, discount_amount, final_amount, min_amount and expires_at", async () => {
    const coupon_code = await createCoupon({ minimumCents: 1500, endsIn: "1 day" });
    const { status: http, body } = await check({ coupon_code, cart_ids: [cart], user_id: buyer.id });
    expect(http).toBe(200);
    expect(body.data).toMatchObject({
      state: "valid",
      discount_amount: 5,
      final_amount: 15,
      min_amount: 15,
      bound: false,
      expires_at: expect.stringMatching(/^20.*Z$/),
    });
  });

  it.each([
    ["en", 42202, "This coupon is for orders of $20.01 or more."],
    ["zh", 42202, "订单满 US$20.01 才能使用这张优惠券。"],
    ["ja", 42202, "このクーポンはUS$20.01以上のご注文で使えます。"],
  ])("names in %s the minimum amount", async (language, code, message) => {
    const coupon_code = await createCoupon({ minimumCents: 2001 });
    const { status: http, body } = await check({ coupon_code, cart_ids: [cart] }, language);
    expect([http, body.code, body.state, body.message]).toEqual([422, String(code), code, message]);
  });

  it("rejects each unusable coupon with its code", async () => {
    const other = await sale.createBuyer();
    const cases: [string, string, number][] = [
      ["NOTHING", "40403", 404],
      [await createCoupon({ endsIn: "-1 day" }), "41001", 410],
      [await createCoupon({ startsIn: "1 day" }), "42501", 425],
      [await createCoupon({ userId: other.id }), "40301", 403],
      [await createCoupon({ state: "revoked" }), "42203", 422],
    ];
    for (const [coupon_code, code, http] of cases) {
      const response = await check({ coupon_code, cart_ids: [cart] });
      expect([response.status, response.body.code]).toEqual([http, code]);
    }
    expect((await check({ cart_ids: [cart] })).body.code).toBe("40000");
    expect((await check({ coupon_code: "NOTHING", cart_ids: ["another"] })).body.code).toBe("40405");
    const guest = await post(query, "/auth/coupon/query", { coupon_code: "NOTHING" }, null);
    expect([guest.status, guest.body.code]).toEqual([401, "401"]);
  });

  it("allows twenty attempts a minute, against guessing", async () => {
    const guesser = await sale.createBuyer();
    const statuses: number[] = [];
    for (let i = 0; i < 22; i += 1)
      statuses.push((await post(bind, "/auth/coupon/bind", { coupon_code: `GUESS${i}` }, guesser)).status);
    expect(statuses.slice(0, 20).every((http) => http === 404)).toBe(true);
    expect(statuses.slice(20)).toEqual([429, 429]);
  });
});

describe("POST /auth/coupon/preview", () => {
  it("returns the value of a code; every call rejects a public code outside its dates with the same error", async () => {
    const previewCoupon = (coupon_code: string) => post(preview, "/auth/coupon/preview", { coupon_code });
    const coupon_code = await createCoupon({ minimumCents: 1500 });
    expect((await previewCoupon(coupon_code)).body.data).toMatchObject({
      coupon_code,
      min_amount: 15,
      shared: false,
    });
    const [earlyCode, expiredCode] = [`EARLY${Date.now()}`, `OVER${Date.now()}`];
    await createCampaign({ code: earlyCode, startsIn: "1 day" });
    await createCampaign({ code: expiredCode, endsIn: "-1 minute" });
    for (const [coupon_code, code] of [
      [earlyCode, "42501"],
      [expiredCode, "41001"],
    ] as const) {
      expect((await previewCoupon(coupon_code)).body.code).toBe(code);
      expect((await check({ coupon_code, cart_ids: [cart] })).body.code).toBe(code);
      expect((await post(bind, "/auth/coupon/bind", { coupon_code })).body.code).toBe(code);
      const order = await post(create, "/order/create", { cart_record_ids: [cart], coupon_code });
      expect(order.body.code).toBe(code);
    }
  });
});

describe("POST /auth/coupon/bind", () => {
  it("binds a code in any spelling once, and replays the response for the same Idempotency-Key", async () => {
    const code = await createCoupon();
    const typed = ` ${code.toLowerCase().slice(0, 4)} ${code.toLowerCase().slice(4)} `;
    const headers = { authorization: buyer.bearer, "idempotency-key": `bind-${code}` };
    const first = await call(bind, "/auth/coupon/bind", { body: { coupon_code: typed }, headers });
    expect(first.body.data).toMatchObject({ coupon_code: code, state: "valid", amount: 5, percent: null });
    const again = await call(bind, "/auth/coupon/bind", { body: { coupon_code: typed }, headers });
    expect([again.body.data, again.headers.get("idempotent-replayed")]).toEqual([first.body.data, "true"]);
    const second = await post(bind, "/auth/coupon/bind", { coupon_code: code });
    expect([second.status, second.body.code]).toEqual([409, "40908"]);
    const list = await call(mine, "/auth/coupon/user", {
      query: `user_id=${buyer.id}`,
      headers: { authorization: buyer.bearer },
    });
    expect(list.body.data.items.map((one: { coupon_code: string }) => one.coupon_code)).toContain(code);
    expect(list.body.data.total).toBe(list.body.data.items.length);
  });
});

describe("POST /order/create with a coupon", () => {
  it("rejects an unknown code, applies a valid one, and rejects one that another unpaid order holds", async () => {
    const wrong = await post(create, "/order/create", { cart_record_ids: [cart], coupon_code: "NOTHING" });
    expect([wrong.status, wrong.body.code]).toEqual([404, "40403"]);
    const coupon_code = await createCoupon({ percent: 25 });
    const { body } = await post(create, "/order/create", { cart_record_ids: [cart], coupon_code });
    expect(body.data.final_amount).toBe(15);
    const plan = (await createProduct({ plans: [{ keys: 1, priceCents: 2000 }] })).plans[0]!;
    const next = await createCartLine(buyer.id, plan.id);
    const rejected = await post(create, "/order/create", { cart_record_ids: [next], coupon_code });
    expect([rejected.status, rejected.body.code]).toEqual([409, "409"]);
    expect(rejected.body.message).toContain("uses this coupon");
  });
});

describe("daily coupons and referrals", () => {
  it("are visible to guests, and claimed once by a verified user", async () => {
    const listed = await call(status, "/voucher/free/status");
    expect(
      listed.body.data.items.map((one: { type: string; state: string }) => [one.type, one.state]),
    ).toEqual([
      ["daily", "available"],
      ["new_user", "available"],
    ]);
    expect((await post(claim, "/voucher/free/claim", { type: "daily" }, null)).status).toBe(401);
    const claimed = await post(claim, "/voucher/free/claim", { type: "daily" });
    expect(claimed.body.data).toMatchObject({ amount: 5, min_amount: 0, state: "valid" });
    const again = await post(claim, "/voucher/free/claim", { type: "daily" });
    expect([again.status, again.body.code]).toEqual([409, "40905"]);
    expect((await post(claim, "/voucher/free/claim", { type: "weekly" })).body.code).toBe("40000");
    const unverified = await sale.createBuyer({ verified: false });
    expect((await post(claim, "/voucher/free/claim", { type: "daily" }, unverified)).body.code).toBe("40311");
  });

  it("include the coupon of a running campaign, which is sent once", async () => {
    const campaign = await createCampaign();
    expect((await post(send, "/auth/coupon/send", { campaign })).status).toBe(200);
    expect((await post(send, "/auth/coupon/send", { campaign })).body.code).toBe("40905");
    expect((await post(send, "/auth/coupon/send", { campaign: "none" })).body.code).toBe("40409");
  });

  it("include the user's own referral link and counts", async () => {
    const { body } = await call(referrals, "/referral/info", {
      headers: { authorization: buyer.bearer, "accept-language": "ja" },
    });
    expect(body.data).toMatchObject({
      invite_code: buyer.inviteCode,
      invite_link: expect.stringMatching(new RegExp(`/ja/i/${buyer.inviteCode}$`)),
      can_invite: true,
      reward_amount: 5,
      counts: { clicks: 0, registered: 0, pending: 0, paid: 0, refused: 0 },
      items: [],
    });
  });
});
