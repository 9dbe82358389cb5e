import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createCartLine } from "@/db/factories/orders";
import { checkCoupon } from "@/lib/coupons/check-coupon";
import { listCartCoupons } from "@/lib/coupons/list-coupons";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { sweepJob } from "@/lib/orders/jobs";
import { completeFreeOrder } from "@/lib/orders/payment/complete-free-order";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

/** A first-order coupon is for the first paid order: while it is unpaid, no other priced order may be open. */
registerSaleHooks();
let planId: number;
beforeAll(async () => {
  planId = (await createTestPlan({ keys: 60 })).id;
});

const createTestPlan = (input: PlanInput = {}) => createSinglePlan({ keys: 5, priceCents: 2000, ...input });
const createCouponHolder = async () => {
  const user = await sale.createBuyer();
  const code = () => createCoupon({ userId: user.id, firstOrderOnly: true });
  return { user, code: await code(), another: await code() };
};
const placeTestOrder = (user: sale.Buyer, code?: string) => sale.orderPlan(user, planId, 1, code);
const getCouponState = async (code: string) =>
  (await db.execute<{ state: string }>(sql`select state from coupons where code = ${code}`))[0]!.state;

describe("a coupon for a first order", () => {
  it("is rejected with its own error while another order is unpaid, until that order is cancelled", async () => {
    const { user, code } = await createCouponHolder();
    const waiting = await placeTestOrder(user);
    expect(await getErrorName(placeTestOrder(user, code))).toBe("coupon_order_open");
    const cart = [await createCartLine(user.id, planId)];
    const check = () => checkCoupon(user.viewer, { coupon_code: code, cart_ids: cart }, "en");
    expect(await getErrorName(check())).toBe("coupon_order_open");
    expect((await listCartCoupons(user.viewer, "en")).earlier_order).toBe("unpaid");
    await cancelOrder(user.viewer, { order_id: waiting });
    expect(await getErrorName(check())).toBeNull();
    expect((await listCartCoupons(user.viewer, "en")).earlier_order).toBeNull();
    const first = await placeTestOrder(user, code);
    await sale.pay(user, first);
    await sale.processEvents();
    expect([await sale.getOrderStatus(first), await getCouponState(code)]).toEqual(["completed", "used"]);
    expect((await listCartCoupons(user.viewer, "en")).earlier_order).toBe("paid");
  });

  it("blocks other priced orders while its own is unpaid, but not free passes", async () => {
    const { user, code, another } = await createCouponHolder();
    const first = await placeTestOrder(user, code);
    expect(await getErrorName(placeTestOrder(user))).toBe("first_order_open");
    expect(await getErrorName(placeTestOrder(user, code))).toBe("coupon_held");
    expect(await getErrorName(placeTestOrder(user, another))).toBe("coupon_order_open");
    const free = await sale.orderPlan(user, (await createTestPlan({ priceCents: 0 })).id);
    expect((await completeFreeOrder(user.viewer, { order_id: free })).status).toBe("completed");
    await sale.pay(user, first);
    await sale.processEvents();
    expect(await sale.getOrderStatus(first)).toBe("completed");
    expect(await getErrorName(placeTestOrder(user, another))).toBe("coupon_first_order");
    expect(await getErrorName(placeTestOrder(user))).toBeNull();
  });

  it("can be used again after its order is cancelled or expires", async () => {
    const { user, code } = await createCouponHolder();
    const cancelled = await placeTestOrder(user, code);
    await sale.openPayment(user, cancelled);
    await cancelOrder(user.viewer, { order_id: cancelled });
    const expired = await placeTestOrder(user, code);
    await sale.setClockAhead("31 minutes");
    await sweepJob.run({});
    expect([await sale.getOrderStatus(expired), await getCouponState(code)]).toEqual(["cancelled", "open"]);
    await sale.setClockAhead("0");
    expect(await sale.getOrderStatus(await sale.sell(user, planId, 1, code))).toBe("completed");
  });

  it("allows one of several concurrent orders, with and without a coupon", async () => {
    const planIds = (await Promise.all([1, 2, 3].map(() => createTestPlan({ keys: 20 })))).map(
      ({ id }) => id,
    );
    for (let round = 0; round < 8; round += 1) {
      const { user, code, another } = await createCouponHolder();
      const orders = [code, undefined, another].map((each, n) => sale.orderPlan(user, planIds[n]!, 1, each));
      const outcomes = await Promise.all(orders.map(getErrorName));
      const [withCode, withoutCoupon, withAnother] = outcomes;
      expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(1);
      if (withoutCoupon === null)
        expect([withCode, withAnother]).toEqual(["coupon_order_open", "coupon_order_open"]);
      else expect(withoutCoupon).toBe("first_order_open");
    }
  });

  it("that covers the whole price counts as the first order", async () => {
    const { user, another } = await createCouponHolder();
    const fullDiscount = await createCoupon({
      userId: user.id,
      firstOrderOnly: true,
      percent: 100,
      free: true,
    });
    const id = await placeTestOrder(user, fullDiscount);
    expect(await getErrorName(placeTestOrder(user, another))).toBe("coupon_order_open");
    expect((await completeFreeOrder(user.viewer, { order_id: id })).status).toBe("completed");
    expect(await getErrorName(placeTestOrder(user, another))).toBe("coupon_first_order");
  });

  it("leads to a refund of a late payment of its cancelled order when another order was paid meanwhile", async () => {
    const { user, code } = await createCouponHolder();
    const cancelledOrder = await placeTestOrder(user, code);
    const { intentId } = await sale.openPayment(user, cancelledOrder);
    await cancelOrder(user.viewer, { order_id: cancelledOrder });
    await sale.sell(user, planId);
    await sale.payLate(intentId);
    expect([await sale.getOrderStatus(cancelledOrder), await getCouponState(code)]).toEqual([
      "refunded",
      "open",
    ]);
  });

  it("leads to a refund of a late payment of another cancelled order while its own order is open", async () => {
    const { user, code } = await createCouponHolder();
    const cancelledOrder = await placeTestOrder(user);
    const { intentId } = await sale.openPayment(user, cancelledOrder);
    await cancelOrder(user.viewer, { order_id: cancelledOrder });
    const first = await placeTestOrder(user, code);
    await sale.payLate(intentId);
    expect(await sale.getOrderStatus(cancelledOrder)).toBe("refunded");
    await sale.pay(user, first);
    await sale.processEvents();
    expect([await sale.getOrderStatus(first), await getCouponState(code)]).toEqual(["completed", "used"]);
  });
});
