import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createCartLine } from "@/db/factories/orders";
import { bindCoupon } from "@/lib/coupons/bind-coupon";
import { checkCoupon } from "@/lib/coupons/check-coupon";
import { listCoupons } from "@/lib/coupons/list-coupons";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { getOrder } from "@/lib/orders/find-order";
import { assignPaidOrder } from "@/lib/orders/fulfilment/assign-waiting-orders";
import { sweepJob } from "@/lib/orders/jobs";
import { completeFreeOrder } from "@/lib/orders/payment/complete-free-order";
import { settlePayment } from "@/lib/orders/payment/settle-payment";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { refundOverdueLines } from "@/lib/orders/refunds/refund-overdue-lines";
import type { ShopError } from "@/lib/platform/errors";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks();
let buyer: sale.Buyer;
beforeAll(async () => {
  buyer = await sale.createBuyer();
});

const createTestPlan = (input: PlanInput = {}) => createSinglePlan({ keys: 5, priceCents: 2000, ...input });
const getCouponRow = async (code: string) =>
  (
    await db.execute<{ state: string; order_id: string | null; user_id: string | null }>(
      sql`select state, order_id, user_id from coupons where code = ${code}`,
    )
  )[0]!;
const check = (code: string, user: sale.Buyer, cart: string[]) =>
  checkCoupon(user.viewer, { coupon_code: code, cart_ids: cart }, "en");

describe("checking a coupon", () => {
  it("returns the discount and reserves nothing", async () => {
    const { id } = await createTestPlan();
    const cart = [await createCartLine(buyer.id, id, { quantity: 2 })];
    const code = await createCoupon({ percent: 15 });
    expect(await check(code, buyer, cart)).toMatchObject({
      subtotal: 40,
      discount_amount: 6,
      final_amount: 34,
      bound: false,
      state: "valid",
    });
    expect(await getCouponRow(code)).toEqual({ state: "open", order_id: null, user_id: null });
  });

  it("rejects unknown, used, expired, early, foreign and revoked coupons, and orders below the minimum", async () => {
    const { id } = await createTestPlan();
    const cart = [await createCartLine(buyer.id, id)];
    const other = await sale.createBuyer();
    const [reservedCoupon, used] = [
      await createCoupon({ userId: buyer.id }),
      await createCoupon({ userId: buyer.id }),
    ];
    await sale.orderPlan(buyer, (await createTestPlan()).id, 1, reservedCoupon);
    await sale.sell(buyer, (await createTestPlan()).id, 1, used);
    const cases: [string, string][] = [
      ["NO-SUCH-CODE", "coupon_unknown"],
      [reservedCoupon, "coupon_held"],
      [used, "coupon_used"],
      [await createCoupon({ endsIn: "-1 second" }), "coupon_expired"],
      [await createCoupon({ startsIn: "1 day" }), "coupon_not_yet_valid"],
      [await createCoupon({ userId: other.id }), "coupon_bound"],
      [await createCoupon({ state: "revoked" }), "coupon_invalid"],
      [await createCoupon({ minimumCents: 2001 }), "coupon_below_minimum"],
    ];
    for (const [code, error] of cases)
      expect([code, await getErrorName(check(code, buyer, cart))]).toEqual([code, error]);
    expect(await getErrorName(check("NO-SUCH-CODE", buyer, ["cart_missing"]))).toBe("cart_line_unknown");
  });

  it("names the start day of a coupon that is not valid yet in the time zone of the buyer's session", async () => {
    const cart = [await createCartLine(buyer.id, (await createTestPlan()).id)];
    const code = await createCoupon({ startsIn: "1 day" });
    await db.execute(sql`update coupons set starts_at = '2999-01-01T20:00:00Z' where code = ${code}`);
    const readDate = async (timeZone: string | null) => {
      const viewer = { ...buyer.viewer, timeZone };
      const refusal = await checkCoupon(viewer, { coupon_code: code, cart_ids: cart }, "en").catch((e) => e);
      return (refusal as ShopError).params.date;
    };
    expect(await readDate(null)).toBe("1 January 2999");
    expect(await readDate("Asia/Tokyo")).toBe("2 January 2999");
  });

  it("accepts a first-order coupon until the user has paid an order; free passes do not count", async () => {
    const newcomer = await sale.createBuyer();
    const code = await createCoupon({ firstOrderOnly: true });
    const cart = [await createCartLine(newcomer.id, (await createTestPlan()).id)];
    expect(await getErrorName(check(code, newcomer, cart))).toBeNull();
    const free = await sale.orderPlan(newcomer, (await createTestPlan({ priceCents: 0 })).id);
    await completeFreeOrder(newcomer.viewer, { order_id: free });
    expect(await getErrorName(check(code, newcomer, cart))).toBeNull();
    await sale.sell(newcomer, (await createTestPlan()).id);
    expect(await getErrorName(check(code, newcomer, cart))).toBe("coupon_first_order");
  });
});

describe("binding a coupon", () => {
  it("reserves it for one account", async () => {
    const code = await createCoupon();
    const other = await sale.createBuyer();
    expect((await bindCoupon(buyer.viewer, { coupon_code: code }, "ja")).title).toBe("テスト");
    expect(await getErrorName(bindCoupon(buyer.viewer, { coupon_code: code }, "en"))).toBe(
      "coupon_already_bound",
    );
    expect(await getErrorName(bindCoupon(other.viewer, { coupon_code: code }, "en"))).toBe("coupon_bound");
    const cart = await createCartLine(other.id, (await createTestPlan()).id);
    expect(await getErrorName(check(code, other, [cart]))).toBe("coupon_bound");
    expect((await listCoupons(buyer.viewer, "en")).items.map((c) => c.coupon_code)).toContain(code);
  });

  it("accepts a coupon that starts later, and only one of fifty users who bind concurrently", async () => {
    expect(
      (await bindCoupon(buyer.viewer, { coupon_code: await createCoupon({ startsIn: "2 days" }) }, "en"))
        .state,
    ).toBe("not_yet_valid");
    const code = await createCoupon();
    const users = await Promise.all(Array.from({ length: 50 }, () => sale.createBuyer()));
    const outcomes = await Promise.all(
      users.map((user) => getErrorName(bindCoupon(user.viewer, { coupon_code: code }, "en"))),
    );
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set([null, "coupon_bound"]));
  });
});

describe("an order with a coupon", () => {
  it("reserves it, splits the discount to the cent, and marks it used when paid", async () => {
    const [a, b, c] = [
      await createTestPlan({ priceCents: 999 }),
      await createTestPlan({ priceCents: 1001 }),
      await createTestPlan({ priceCents: 0 }),
    ];
    const code = await createCoupon({ amountCents: 501 });
    const lines = [a, b, c].map((each) => createCartLine(buyer.id, each.id));
    const request = { coupon_code: code, cart_record_ids: await Promise.all(lines) };
    const { order_id: id } = await placeOrder(buyer.viewer, request, "en");
    expect(await getCouponRow(code)).toEqual({ state: "reserved", order_id: id, user_id: buyer.id });
    const order = await getOrder(buyer.viewer, id, "en");
    expect([order.subtotal, order.discount_amount, order.final_amount]).toEqual([20, 5.01, 14.99]);
    expect(order.order_products.reduce((sum, line) => sum + Math.round(line.total * 100), 0)).toBe(1499);
    await sale.pay(buyer, id);
    await sale.waitForEvents();
    await sale.runQueue();
    expect([await sale.getOrderStatus(id), (await getCouponRow(code)).state]).toEqual(["completed", "used"]);
    expect(await getErrorName(sale.orderPlan(buyer, a.id, 1, code))).toBe("coupon_used");
  });

  it("releases it for another order when it is cancelled or expires", async () => {
    const product = await createTestPlan({ keys: 20 });
    const code = await createCoupon({ userId: buyer.id });
    const first = await sale.orderPlan(buyer, product.id, 1, code);
    const getListedCoupon = async () =>
      (await listCoupons(buyer.viewer, "en")).items.find((item) => item.coupon_code === code);
    expect(await getErrorName(sale.orderPlan(buyer, product.id, 1, code))).toBe("coupon_held");
    expect(await getListedCoupon()).toMatchObject({ state: "used", held: true, order_id: first });
    await cancelOrder(buyer.viewer, { order_id: first });
    expect(await getListedCoupon()).toMatchObject({ state: "valid", held: false, order_id: null });
    const second = await sale.orderPlan(buyer, product.id, 1, code);
    await sale.setClockAhead("31 minutes");
    await sweepJob.run({});
    expect([await sale.getOrderStatus(second), (await getCouponRow(code)).state]).toEqual([
      "cancelled",
      "open",
    ]);
    const third = await sale.sell(buyer, product.id, 1, code);
    expect([await sale.getOrderStatus(third), (await getCouponRow(code)).order_id]).toEqual([
      "completed",
      third,
    ]);
  });

  it("reserves it again for a late payment, even if expired, and refunds the payment when another order uses it", async () => {
    const product = await createTestPlan({ keys: 20 });
    for (const usedElsewhere of [false, true]) {
      const code = await createCoupon({ userId: buyer.id, endsIn: "1 hour" });
      const id = await sale.orderPlan(buyer, product.id, 1, code);
      const { intentId } = await sale.openPayment(buyer, id);
      await sale.expireHold(id);
      expect((await getCouponRow(code)).state).toBe("open");
      if (usedElsewhere) await sale.orderPlan(buyer, product.id, 1, code);
      else await db.execute(sql`update coupons set expires_at = shop_now() where code = ${code}`);
      // The payment succeeds although the hold has ended.
      await db.execute(
        sql`update sandbox_intents set status = 'succeeded', received_cents = amount_cents where id = ${intentId}`,
      );
      await settlePayment(intentId);
      await sale.processEvents();
      expect(await sale.getOrderStatus(id)).toBe(usedElsewhere ? "refunded" : "completed");
      expect((await getCouponRow(code)).order_id === id).toBe(!usedElsewhere);
    }
  });

  it("releases it when nothing was delivered; the next order still counts as the first", async () => {
    const user = await sale.createBuyer();
    const product = await createTestPlan({ keys: 1 });
    const code = await createCoupon({ userId: user.id, firstOrderOnly: true });
    const id = await sale.orderPlan(user, product.id, 1, code);
    const { intentId } = await sale.pay(user, id);
    await db.execute(
      sql`update keys set state = 'available', order_line_id = null, slot = null where plan_id = ${product.id}`,
    );
    await db.execute(sql`update keys set state = 'revoked' where plan_id = ${product.id}`);
    await settlePayment(intentId);
    await assignPaidOrder(id);
    expect([await sale.getOrderStatus(id), (await getCouponRow(code)).state]).toEqual(["processing", "used"]);
    await db.execute(
      sql`update order_lines set deliver_by = shop_now() - interval '1 minute' where order_id = ${id}`,
    );
    await refundOverdueLines(id);
    expect([await sale.getOrderStatus(id), (await getCouponRow(code)).state]).toEqual(["refunded", "open"]);
    await sale.processEvents();
    const next = await createTestPlan({ keys: 1 });
    expect(await sale.getOrderStatus(await sale.sell(user, next.id, 1, code))).toBe("completed");
  });

  it("succeeds for one of 200 users with the same code at the same time, and the others keep their carts", async () => {
    const product = await createTestPlan({ keys: 200 });
    const code = await createCoupon();
    const users = await Promise.all(Array.from({ length: 200 }, () => sale.createBuyer()));
    const outcomes = await Promise.all(
      users.map((user) => getErrorName(sale.orderPlan(user, product.id, 1, code))),
    );
    const winners = outcomes.filter((outcome) => outcome === null).length;
    expect(winners).toBe(1);
    expect(outcomes.filter((a) => a !== null && a !== "coupon_bound" && a !== "unavailable")).toEqual([]);
    const [remainingCarts] = await db.execute<{ n: number }>(
      sql`select count(*)::int as n from cart_lines where plan_id = ${product.id}`,
    );
    expect(remainingCarts!.n).toBe(199);
    expect(await sale.countKeysByState(product.id)).toEqual({ available: 199, reserved: 1 });
  });

  it("always leaves the minimum charge to pay, and is used when that is paid", async () => {
    const cheap = await createTestPlan({ priceCents: 390 });
    const code = await createCoupon({ userId: buyer.id, amountCents: 500 });
    const cart = [await createCartLine(buyer.id, cheap.id)];
    expect(await check(code, buyer, cart)).toMatchObject({ discount_amount: 3.4, final_amount: 0.5 });
    const placed = await placeOrder(buyer.viewer, { coupon_code: code, cart_record_ids: cart }, "en");
    expect(placed.final_amount).toBe(0.5);
    expect(await getErrorName(completeFreeOrder(buyer.viewer, { order_id: placed.order_id }))).toBe(
      "free_payment_not_zero",
    );
    await sale.pay(buyer, placed.order_id);
    await sale.processEvents();
    expect(await sale.getOrderStatus(placed.order_id)).toBe("completed");
    expect((await getCouponRow(code)).state).toBe("used");
  });

  it("that covers several lines leaves the minimum charge, split over the lines to the cent", async () => {
    const plans = await Promise.all([333, 333, 334].map((priceCents) => createTestPlan({ priceCents })));
    const lines = await Promise.all(plans.map(({ id }) => createCartLine(buyer.id, id)));
    const code = await createCoupon({ userId: buyer.id, percent: 100 });
    const request = { coupon_code: code, cart_record_ids: lines };
    const { order_id: id, final_amount } = await placeOrder(buyer.viewer, request, "en");
    const order = await getOrder(buyer.viewer, id, "en");
    expect([final_amount, order.discount_amount]).toEqual([0.5, 9.5]);
    expect(order.order_products.reduce((sum, line) => sum + Math.round(line.total * 100), 0)).toBe(50);
  });

  it("placed with Buy now leaves the minimum charge too", async () => {
    const { id } = await createTestPlan({ priceCents: 500 });
    const code = await createCoupon({ amountCents: 500 });
    const placed = await placeOrder(buyer.viewer, { vip_id: id, coupon_code: code }, "en");
    expect(placed.final_amount).toBe(0.5);
  });

  it("of a free campaign that costs nothing is completed without a payment, for a verified email only", async () => {
    const product = await createTestPlan();
    const code = await createCoupon({ percent: 100, free: true });
    const unverified = await sale.createBuyer({ verified: false });
    expect(await getErrorName(sale.orderPlan(unverified, product.id, 1, code))).toBe("email_unverified");
    const id = await sale.orderPlan(buyer, product.id, 1, code);
    expect((await completeFreeOrder(buyer.viewer, { order_id: id })).status).toBe("completed");
    expect((await getCouponRow(code)).state).toBe("used");
  });
});

describe("the database", () => {
  it("rejects a change of a coupon's owner and its release from a delivered order", async () => {
    const code = await createCoupon({ userId: buyer.id });
    const other = await sale.createBuyer();
    await expect(
      db.execute(sql`update coupons set user_id = ${other.id} where code = ${code}`),
    ).rejects.toThrow();
    const id = await sale.sell(buyer, (await createTestPlan()).id, 1, code);
    await expect(
      db.execute(sql`update coupons set state = 'open', order_id = null where order_id = ${id}`),
    ).rejects.toThrow();
    expect((await getCouponRow(code)).state).toBe("used");
  });
});
