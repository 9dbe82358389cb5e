import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { createCampaign, createCoupon } from "@/db/factories/coupons";
import { createCartLine } from "@/db/factories/orders";
import { bindCoupon } from "@/lib/coupons/commands";
import { checkCoupon, previewCoupon } from "@/lib/coupons/queries";
import { sendCoupon } from "@/lib/coupons/vouchers/commands";
import { randomText } from "@/lib/platform/crypto/ids";
import { auditSale } from "../faults/audit";
import { refusal } from "../setup/refusal";
import * as sale from "../setup/sale";

vi.setConfig({ testTimeout: 120_000 });
let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsHere();
  buyer = await sale.newBuyer();
});
afterEach(async () => expect(await auditSale()).toEqual([]));
afterAll(sale.endSale);

const plan = async (given: PlanInput = {}) =>
  (await createProduct({ plans: [{ keys: 5, priceCents: 2000, ...given }] })).plans[0]!;
const newCode = () => `SPRING${randomText(8)}`.toUpperCase();
const check = (code: string, who: sale.Buyer, cart: string[]) =>
  checkCoupon(who.viewer, { coupon_code: code, cart_ids: cart }, "en");

describe("looking at a code before it is kept", () => {
  const look = (code: string, who = buyer) => previewCoupon(who.viewer, { coupon_code: code }, "en");

  it("says what it would bring and whose it would be, and changes nothing", async () => {
    const single = await createCoupon({ minimumCents: 1200, startsIn: "1 day" });
    expect(await look(single)).toMatchObject({
      coupon_code: single,
      shared: false,
      min_amount: 12,
      state: "not_yet_valid",
    });
    const [row] = await db.execute(sql`select state, user_id from coupons where code = ${single}`);
    expect(row).toEqual({ state: "open", user_id: null });
    const code = newCode();
    const campaign = await createCampaign({ code, monthlyBudgetCents: 500 });
    expect(await look(code)).toMatchObject({ coupon_code: code, shared: true, amount: 5, state: "valid" });
    const [made] = await db.execute<{ n: number; promised: number }>(sql`
      select count(c.id)::int as n, max(g.promised_cents) as promised
      from campaigns g left join coupons c on c.campaign_id = g.id where g.id = ${campaign}`);
    expect(made).toEqual({ n: 0, promised: 0 });
  });

  it("refuses for the same reasons as the binding itself", async () => {
    const other = await sale.newBuyer();
    const unproved = await sale.newBuyer({ verified: false });
    const [open, over, early, spent] = [newCode(), newCode(), newCode(), newCode()];
    await createCampaign({ code: open });
    await createCampaign({ code: over, endsIn: "-1 second" });
    await createCampaign({ code: early, startsIn: "1 day" });
    await createCampaign({ code: spent, monthlyBudgetCents: 499 });
    const mine = await createCoupon({ userId: buyer.id });
    const cases: [string, sale.Buyer, string][] = [
      ["NO-SUCH-CODE", buyer, "coupon_unknown"],
      [await createCoupon({ userId: other.id }), buyer, "coupon_bound"],
      [await createCoupon({ endsIn: "-1 second" }), buyer, "coupon_expired"],
      [mine, buyer, "coupon_already_bound"],
      [open, unproved, "email_unverified"],
      [over, buyer, "coupon_expired"],
      [over, unproved, "coupon_expired"],
      [early, buyer, "coupon_not_yet_valid"],
      [spent, buyer, "voucher_unavailable"],
    ];
    for (const [code, who, error] of cases) {
      expect([code, await refusal(look(code, who))]).toEqual([code, error]);
      expect([code, await refusal(bindCoupon(who.viewer, { coupon_code: code }, "en"))]).toEqual([
        code,
        error,
      ]);
    }
  });
});

describe("a campaign's public code", () => {
  it("is everybody's once: the first use makes a coupon of one's own", async () => {
    const product = await plan({ keys: 20 });
    const code = `SPRING${Date.now()}`;
    await createCampaign({ code, amountCents: 300, monthlyBudgetCents: 600 });
    const cart = await createCartLine(buyer.id, product.id);
    expect(await check(code, buyer, [cart])).toMatchObject({ discount_amount: 3, coupon_code: code });
    await sale.orderOf(buyer, product.id, 1, code);
    expect(await refusal(sale.orderOf(buyer, product.id, 1, code))).toBe("coupon_held");
    const alias = await sale.newBuyer({ email: buyer.email.replace("@", "+again@") });
    expect(await refusal(sale.orderOf(alias, product.id, 1, code))).toBe("coupon_bound");
    expect(await refusal(bindCoupon((await sale.newBuyer()).viewer, { coupon_code: code }, "en"))).toBeNull();
    const late = await sale.newBuyer();
    const lateCart = await createCartLine(late.id, product.id);
    expect(await refusal(check(code, late, [lateCart]))).toBe("coupon_invalid");
    expect(await refusal(sale.orderOf(late, product.id, 1, code))).toBe("voucher_unavailable");
  });

  it("is nobody's before it is kept, and one's own afterwards", async () => {
    const code = newCode();
    await createCampaign({ code, endsIn: "1 hour" });
    const cart = await createCartLine(buyer.id, (await plan()).id);
    expect((await check(code, buyer, [cart])).bound).toBe(false);
    const own = await bindCoupon(buyer.viewer, { coupon_code: code }, "en");
    expect(await check(code, buyer, [cart])).toMatchObject({ bound: true, coupon_code: own.coupon_code });
    const unproved = await sale.newBuyer({ verified: false });
    const theirs = await createCartLine(unproved.id, (await plan()).id);
    expect(await refusal(check(code, unproved, [theirs]))).toBe("email_unverified");
  });

  it("outside its dates is too early or over, in the cart, at the order and at the binding", async () => {
    const product = await plan();
    const [early, over] = [newCode(), newCode()];
    await createCampaign({ code: early, startsIn: "1 day", monthlyBudgetCents: 100 });
    const ended = await createCampaign({ code: over, endsIn: "1 hour" });
    const before = await sale.newBuyer();
    const kept = await bindCoupon(before.viewer, { coupon_code: over }, "en");
    await db.execute(sql`update campaigns set ends_at = shop_now() where id = ${ended}`);
    for (const [code, error] of [
      [early, "coupon_not_yet_valid"],
      [over, "coupon_expired"],
    ] as const) {
      const cart = await createCartLine(buyer.id, product.id);
      expect(await refusal(check(code, buyer, [cart]))).toBe(error);
      expect(await refusal(bindCoupon(buyer.viewer, { coupon_code: code }, "en"))).toBe(error);
      expect(await refusal(sale.orderOf(buyer, product.id, 1, code))).toBe(error);
    }
    // Who has a coupon of it already keeps the terms it was given on.
    expect(kept.state).toBe("valid");
    expect(await refusal(sale.orderOf(before, product.id, 1, over))).toBeNull();
  });

  it("can be mailed, once a person and campaign", async () => {
    const campaign = await createCampaign();
    const given = await sendCoupon(buyer.viewer, { campaign }, "zh");
    expect(given.title).toBe("测试");
    expect(await refusal(sendCoupon(buyer.viewer, { campaign }, "zh"))).toBe("already_claimed");
    expect(await refusal(sendCoupon(buyer.viewer, { campaign: "daily" }, "en"))).toBe("campaign_unknown");
    expect(await refusal(sendCoupon(buyer.viewer, { campaign, email: "else@example.com" }, "en"))).toBe(
      "delivery_email_unverified",
    );
    const throwaway = await sale.newBuyer({ email: `x${Date.now()}@mailinator.com` });
    expect(await refusal(sendCoupon(throwaway.viewer, { campaign }, "en"))).toBe("throwaway_address");
    await sale.runQueue();
    const [mail] = await db.execute<{ state: string }>(
      sql`select state from mails where event = 'coupon' and to_address = ${buyer.email}`,
    );
    expect(mail!.state).toBe("sent");
  });
});
