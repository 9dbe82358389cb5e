import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { createCampaign, createCoupon } from "@/db/factories/coupons";
import { createCartLine } from "@/db/factories/orders";
import { bindCoupon } from "@/lib/coupons/bind-coupon";
import { checkCoupon } from "@/lib/coupons/check-coupon";
import { previewCoupon } from "@/lib/coupons/preview-coupon";
import { sendCoupon } from "@/lib/coupons/send-coupon";
import { randomText } from "@/lib/platform/crypto/ids";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks();
let buyer: sale.Buyer;
beforeAll(async () => {
  buyer = await sale.createBuyer();
});

const createTestPlan = (input: PlanInput = {}) => createSinglePlan({ keys: 5, priceCents: 2000, ...input });
const newCode = () => `SPRING${randomText(8)}`.toUpperCase();
const check = (code: string, user: sale.Buyer, cart: string[]) =>
  checkCoupon(user.viewer, { coupon_code: code, cart_ids: cart }, "en");

describe("previewing a code before binding it", () => {
  const preview = (code: string, user = buyer) => previewCoupon(user.viewer, { coupon_code: code }, "en");

  it("returns its terms and whether it is shared, and changes nothing", async () => {
    const single = await createCoupon({ minimumCents: 1200, startsIn: "1 day" });
    expect(await preview(single)).toMatchObject({
      coupon_code: single,
      shared: false,
      min_amount: 12,
      state: "not_yet_valid",
    });
    const [row] = await db.execute(sql`select state, user_id from coupons where code = ${single}`);
    expect(row).toEqual({ state: "open", user_id: null });
    const code = newCode();
    const campaign = await createCampaign({ code, monthlyBudgetCents: 500 });
    expect(await preview(code)).toMatchObject({ coupon_code: code, shared: true, amount: 5, state: "valid" });
    const [claims] = await db.execute<{ n: number; promised: number }>(sql`
      select count(c.id)::int as n, max(g.promised_cents) as promised
      from campaigns g left join coupons c on c.campaign_id = g.id where g.id = ${campaign}`);
    expect(claims).toEqual({ n: 0, promised: 0 });
  });

  it("rejects with the same errors as the binding", async () => {
    const other = await sale.createBuyer();
    const unverified = await sale.createBuyer({ verified: false });
    const [openCode, expiredCode, earlyCode, spentCode] = [newCode(), newCode(), newCode(), newCode()];
    await createCampaign({ code: openCode });
    await createCampaign({ code: expiredCode, endsIn: "-1 second" });
    await createCampaign({ code: earlyCode, startsIn: "1 day" });
    await createCampaign({ code: spentCode, monthlyBudgetCents: 499 });
    const ownCode = await createCoupon({ userId: buyer.id });
    const cases: [string, sale.Buyer, string][] = [
      ["NO-SUCH-CODE", buyer, "coupon_unknown"],
      [await createCoupon({ userId: other.id }), buyer, "coupon_bound"],
      [await createCoupon({ endsIn: "-1 second" }), buyer, "coupon_expired"],
      [ownCode, buyer, "coupon_already_bound"],
      [openCode, unverified, "email_unverified"],
      [expiredCode, buyer, "coupon_expired"],
      [expiredCode, unverified, "coupon_expired"],
      [earlyCode, buyer, "coupon_not_yet_valid"],
      [spentCode, buyer, "voucher_unavailable"],
    ];
    for (const [code, user, error] of cases) {
      expect([code, await getErrorName(preview(code, user))]).toEqual([code, error]);
      expect([code, await getErrorName(bindCoupon(user.viewer, { coupon_code: code }, "en"))]).toEqual([
        code,
        error,
      ]);
    }
  });
});

describe("a campaign's public code", () => {
  it("can be used once by each user: the first use creates a personal coupon", async () => {
    const product = await createTestPlan({ keys: 20 });
    const code = `SPRING${Date.now()}`;
    await createCampaign({ code, amountCents: 300, monthlyBudgetCents: 600 });
    const cart = await createCartLine(buyer.id, product.id);
    expect(await check(code, buyer, [cart])).toMatchObject({ discount_amount: 3, coupon_code: code });
    await sale.orderPlan(buyer, product.id, 1, code);
    expect(await getErrorName(sale.orderPlan(buyer, product.id, 1, code))).toBe("coupon_held");
    const aliasUser = await sale.createBuyer({ email: buyer.email.replace("@", "+again@") });
    expect(await getErrorName(sale.orderPlan(aliasUser, product.id, 1, code))).toBe("coupon_bound");
    expect(
      await getErrorName(bindCoupon((await sale.createBuyer()).viewer, { coupon_code: code }, "en")),
    ).toBeNull();
    const lateUser = await sale.createBuyer();
    const lateCart = await createCartLine(lateUser.id, product.id);
    expect(await getErrorName(check(code, lateUser, [lateCart]))).toBe("coupon_invalid");
    expect(await getErrorName(sale.orderPlan(lateUser, product.id, 1, code))).toBe("voucher_unavailable");
  });

  it("is unbound before the binding, and personal afterwards", async () => {
    const code = newCode();
    await createCampaign({ code, endsIn: "1 hour" });
    const cart = await createCartLine(buyer.id, (await createTestPlan()).id);
    expect((await check(code, buyer, [cart])).bound).toBe(false);
    const ownCoupon = await bindCoupon(buyer.viewer, { coupon_code: code }, "en");
    expect(await check(code, buyer, [cart])).toMatchObject({
      bound: true,
      coupon_code: ownCoupon.coupon_code,
    });
    const unverified = await sale.createBuyer({ verified: false });
    const unverifiedCart = await createCartLine(unverified.id, (await createTestPlan()).id);
    expect(await getErrorName(check(code, unverified, [unverifiedCart]))).toBe("email_unverified");
  });

  it("outside its dates is rejected in the cart, by the order and by the binding", async () => {
    const product = await createTestPlan();
    const [earlyCode, expiredCode] = [newCode(), newCode()];
    await createCampaign({ code: earlyCode, startsIn: "1 day", monthlyBudgetCents: 100 });
    const endedCampaign = await createCampaign({ code: expiredCode, endsIn: "1 hour" });
    const earlierUser = await sale.createBuyer();
    const boundCoupon = await bindCoupon(earlierUser.viewer, { coupon_code: expiredCode }, "en");
    await db.execute(sql`update campaigns set ends_at = shop_now() where id = ${endedCampaign}`);
    for (const [code, error] of [
      [earlyCode, "coupon_not_yet_valid"],
      [expiredCode, "coupon_expired"],
    ] as const) {
      const cart = await createCartLine(buyer.id, product.id);
      expect(await getErrorName(check(code, buyer, [cart]))).toBe(error);
      expect(await getErrorName(bindCoupon(buyer.viewer, { coupon_code: code }, "en"))).toBe(error);
      expect(await getErrorName(sale.orderPlan(buyer, product.id, 1, code))).toBe(error);
    }
    // A coupon that was bound before keeps its terms.
    expect(boundCoupon.state).toBe("valid");
    expect(await getErrorName(sale.orderPlan(earlierUser, product.id, 1, expiredCode))).toBeNull();
  });

  it("can be mailed once for each user and campaign", async () => {
    const campaign = await createCampaign();
    const input = await sendCoupon(buyer.viewer, { campaign }, "zh");
    expect(input.title).toBe("测试");
    expect(await getErrorName(sendCoupon(buyer.viewer, { campaign }, "zh"))).toBe("already_claimed");
    expect(await getErrorName(sendCoupon(buyer.viewer, { campaign: "daily" }, "en"))).toBe(
      "campaign_unknown",
    );
    expect(await getErrorName(sendCoupon(buyer.viewer, { campaign, email: "else@example.com" }, "en"))).toBe(
      "delivery_email_unverified",
    );
    const disposable = await sale.createBuyer({ email: `x${Date.now()}@mailinator.com` });
    expect(await getErrorName(sendCoupon(disposable.viewer, { campaign }, "en"))).toBe("throwaway_address");
    await sale.runQueue();
    const [mail] = await db.execute<{ state: string }>(
      sql`select state from mails where event = 'coupon' and to_address = ${buyer.email}`,
    );
    expect(mail!.state).toBe("sent");
  });
});
