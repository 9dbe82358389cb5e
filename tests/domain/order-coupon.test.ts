import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createMerchant, createSeller } from "@/db/factories/merchants";
import { createCartLine } from "@/db/factories/orders";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { getOrder } from "@/lib/orders/find-order";
import { changeCoupon } from "@/lib/orders/placing/change-coupon";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { confirmSandboxIntent } from "@/lib/platform/stripe/sandbox/confirm";
import { auditSale } from "../setup/audit";
import { getErrorName } from "../setup/error-name";
import { getProviderCash } from "../setup/ledger";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks({ runJobs: true });
let buyer: sale.Buyer;
let planId: number;
beforeEach(async () => {
  buyer = await sale.createBuyer();
  planId = (await createSinglePlan({ type: "month", keys: 9, priceCents: 2000 })).id;
});

const own = (amountCents: number, more: object = {}) =>
  createCoupon({ userId: buyer.id, amountCents, ...more });
/** "Buy now" as the page sends it. */
const buyNow = (plan = planId, expected_total = 20, who = buyer) =>
  placeOrder(who.viewer, { vip_id: plan, use_best_coupon: true, expected_total }, "en");
const read = (orderId: string) => getOrder(buyer.viewer, orderId, "en");
const change = (order_id: string, coupon_code?: string, who = buyer) =>
  changeCoupon(who.viewer, { order_id, coupon_code }, "en");
const state = async (code: string) =>
  (await db.execute<{ state: string }>(sql`select state from coupons where code = ${code}`))[0]!.state;

describe("Buy now", () => {
  it("uses the account's coupon that takes most off, and names it, without asking for another total", async () => {
    const [small, big, revoked] = [await own(300), await own(500), await own(900, { state: "revoked" })];
    await own(1500, { minimumCents: 5000 });
    await own(1500, { startsIn: "1 day" });
    const placed = await buyNow();
    expect(placed.final_amount).toBe(15);
    expect(await read(placed.order_id)).toMatchObject({
      subtotal: 20,
      discount_amount: 5,
      final_amount: 15,
      coupon: { coupon_code: big, title: expect.any(String) },
    });
    expect([await state(small), await state(big), await state(revoked)]).toEqual([
      "open",
      "reserved",
      "revoked",
    ]);
  });

  it("uses no coupon of another account, and none on a pass of the buyer's own merchant", async () => {
    await createCoupon({ userId: (await sale.createBuyer()).id, amountCents: 500 });
    await createCoupon({ amountCents: 500 });
    expect((await buyNow()).final_amount).toBe(20);
    const merchant = await createMerchant();
    const seller = await createSeller(merchant);
    const { plans } = await createProduct({
      merchantId: merchant.id,
      plans: [{ keys: 2, priceCents: 2000 }],
    });
    await createCoupon({ userId: seller.id, amountCents: 500 });
    expect((await buyNow(plans[0]!.id, 20, seller)).final_amount).toBe(20);
  });

  it("refuses another price than the buyer was shown, and leaves a coupon alone that is not asked for", async () => {
    const code = await own(500);
    expect(await getErrorName(buyNow(planId, 19))).toBe("total_changed");
    const plain = await placeOrder(buyer.viewer, { vip_id: planId }, "en");
    expect([plain.final_amount, await state(code)]).toEqual([20, "open"]);
  });

  it("does not make an order of an unverified address free", async () => {
    const unverified = await sale.createBuyer({ verified: false });
    await createCoupon({ userId: unverified.id, amountCents: 5000, free: true });
    expect((await buyNow(planId, 20, unverified)).final_amount).toBe(20);
  });

  it("keeps the coupon off an order from which the buyer took it", async () => {
    const code = await own(500);
    const { order_id } = await buyNow();
    expect(await change(order_id)).toEqual({ order_id, discount_amount: 0, final_amount: 20 });
    expect(await state(code)).toBe("open");
    expect(await buyNow()).toMatchObject({ order_id, final_amount: 20 });
    expect(await read(order_id)).toMatchObject({ coupon: null, final_amount: 20 });
  });
});

describe("the coupon of an unpaid order", () => {
  it("changes the total, its lines and their refund, and the payment that was open no longer pays", async () => {
    const code = await own(500);
    const { order_id } = await placeOrder(buyer.viewer, { vip_id: planId }, "en");
    const before = await sale.openPayment(buyer, order_id);
    expect(await change(order_id, code)).toEqual({ order_id, discount_amount: 5, final_amount: 15 });
    expect(await getErrorName(confirmSandboxIntent(before.clientSecret, "succeeded"))).not.toBe("");
    const order = await read(order_id);
    expect(order.order_products[0]).toMatchObject({ total: 15, refund: { amount: 15 } });
    await sale.pay(buyer, order_id);
    await sale.processEvents();
    expect([await sale.getOrderStatus(order_id), await state(code)]).toEqual(["completed", "used"]);
    expect(await getProviderCash(order_id)).toBe(1500);
    expect(await auditSale()).toEqual([]);
  });

  it("splits over the lines of a cart, and returns when the order is cancelled", async () => {
    const other = (await createSinglePlan({ type: "day", keys: 3, priceCents: 1000 })).id;
    const ids = [await createCartLine(buyer.id, planId), await createCartLine(buyer.id, other)];
    const code = await own(600);
    const { order_id } = await placeOrder(buyer.viewer, { cart_record_ids: ids }, "en");
    await change(order_id, code);
    expect((await read(order_id)).order_products.map((line) => line.total)).toEqual([16, 8]);
    await cancelOrder(buyer.viewer, { order_id });
    expect(await state(code)).toBe("open");
  });

  it("is refused as in the cart, and then stays as it was", async () => {
    const kept = await own(500);
    const { order_id } = await buyNow();
    const foreign = await createCoupon({ userId: (await sale.createBuyer()).id, amountCents: 900 });
    const refused = [
      ["NO-SUCH-CODE", "coupon_unknown"],
      [foreign, "coupon_bound"],
      [await own(900, { state: "revoked" }), "coupon_invalid"],
      [await own(900, { minimumCents: 5000 }), "coupon_below_minimum"],
      [await own(900, { startsIn: "1 day" }), "coupon_not_yet_valid"],
    ] as const;
    const { clientSecret } = await sale.openPayment(buyer, order_id);
    for (const [code, error] of refused) expect(await getErrorName(change(order_id, code)), code).toBe(error);
    expect(await read(order_id)).toMatchObject({ final_amount: 15, coupon: { coupon_code: kept } });
    await confirmSandboxIntent(clientSecret, "succeeded"); // its payment is still open
    await sale.processEvents();
    expect(await sale.getOrderStatus(order_id)).toBe("completed");
  });

  it("of a first order is not ruled out by the order itself, but by another one", async () => {
    const code = await own(1000, { firstOrderOnly: true });
    const { order_id } = await placeOrder(buyer.viewer, { vip_id: planId }, "en");
    expect((await change(order_id, code)).final_amount).toBe(10);
    await change(order_id);
    const other = (await createSinglePlan({ keys: 2, priceCents: 700 })).id;
    await placeOrder(buyer.viewer, { vip_id: other }, "en");
    expect(await getErrorName(change(order_id, code))).toBe("coupon_order_open");
  });

  it("cannot be changed by another user, after the hold, while a payment runs or once it is paid", async () => {
    const code = await own(500);
    const { order_id } = await placeOrder(buyer.viewer, { vip_id: planId }, "en");
    expect(await getErrorName(change(order_id, undefined, await sale.createBuyer()))).toBe("order_unknown");
    await sale.pay(buyer, order_id, "processing_succeeded");
    await sale.waitForEvents();
    expect(await getErrorName(change(order_id, code))).toBe("order_not_payable");
    const paid = await sale.sell(buyer, planId);
    expect(await getErrorName(change(paid, code))).toBe("order_not_payable");
    await sale.forgetHolds(buyer);
    const late = await placeOrder(buyer.viewer, { vip_id: planId }, "en");
    await sale.expireHold(late.order_id);
    expect(await getErrorName(change(late.order_id, code))).toBe("order_not_payable");
    expect(await state(code)).toBe("open");
  });

  it("goes to one of two orders that ask for it at the same time", async () => {
    const code = await own(500);
    const other = (await createSinglePlan({ keys: 2, priceCents: 700 })).id;
    const orders = [
      await placeOrder(buyer.viewer, { vip_id: planId }, "en"),
      await placeOrder(buyer.viewer, { vip_id: other }, "en"),
    ];
    const results = await Promise.all(
      orders.map(({ order_id }) => getErrorName(change(order_id, code)).catch(() => "")),
    );
    expect(results.filter((name) => name === "coupon_held" || name === "coupon_used")).toHaveLength(1);
  });
});
