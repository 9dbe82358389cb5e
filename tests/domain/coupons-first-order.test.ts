import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { db } from "@/db/client";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { createCartLine } from "@/db/factories/orders";
import { checkCoupon, listCartCoupons } from "@/lib/coupons/queries";
import { cancelOrder } from "@/lib/orders/cancellation/commands";
import { sweepJob } from "@/lib/orders/jobs";
import { completeFreeOrder } from "@/lib/orders/payment/commands";
import { auditSale } from "../faults/audit";
import { refusal } from "../setup/refusal";
import * as sale from "../setup/sale";

/** A coupon of a first order is that order's only: while it waits to be paid, no other order with money waits. */
vi.setConfig({ testTimeout: 120_000 });
let planId: number;
beforeAll(async () => {
  sale.receiveEventsHere();
  planId = (await plan({ keys: 60 })).id;
});
afterEach(async () => {
  await sale.setClockAhead("0");
  expect(await auditSale()).toEqual([]);
});
afterAll(sale.endSale);

const plan = async (given: PlanInput = {}) =>
  (await createProduct({ plans: [{ keys: 5, priceCents: 2000, ...given }] })).plans[0]!;
const holder = async () => {
  const who = await sale.newBuyer();
  const code = () => createCoupon({ userId: who.id, firstOrderOnly: true });
  return { who, code: await code(), another: await code() };
};
const order = (who: sale.Buyer, code?: string) => sale.orderOf(who, planId, 1, code);
const stateOf = async (code: string) =>
  (await db.execute<{ state: string }>(sql`select state from coupons where code = ${code}`))[0]!.state;

describe("a coupon for a first order", () => {
  it("is refused beside another order that waits to be paid, in words of its own, until that one is cancelled", async () => {
    const { who, code } = await holder();
    const waiting = await order(who);
    expect(await refusal(order(who, code))).toBe("coupon_order_open");
    const cart = [await createCartLine(who.id, planId)];
    const check = () => checkCoupon(who.viewer, { coupon_code: code, cart_ids: cart }, "en");
    expect(await refusal(check())).toBe("coupon_order_open");
    expect((await listCartCoupons(who.viewer, "en")).earlier_order).toBe("unpaid");
    await cancelOrder(who.viewer, { order_id: waiting });
    expect(await refusal(check())).toBeNull();
    expect((await listCartCoupons(who.viewer, "en")).earlier_order).toBeNull();
    const first = await order(who, code);
    await sale.pay(who, first);
    await sale.settled();
    expect([await sale.statusOf(first), await stateOf(code)]).toEqual(["completed", "used"]);
    expect((await listCartCoupons(who.viewer, "en")).earlier_order).toBe("paid");
  });

  it("lets no other order with money be made while its own waits; free passes may", async () => {
    const { who, code, another } = await holder();
    const first = await order(who, code);
    expect(await refusal(order(who))).toBe("first_order_open");
    expect(await refusal(order(who, code))).toBe("coupon_held");
    expect(await refusal(order(who, another))).toBe("coupon_order_open");
    const free = await sale.orderOf(who, (await plan({ priceCents: 0 })).id);
    expect((await completeFreeOrder(who.viewer, { order_id: free })).status).toBe("completed");
    await sale.pay(who, first);
    await sale.settled();
    expect(await sale.statusOf(first)).toBe("completed");
    expect(await refusal(order(who, another))).toBe("coupon_first_order");
    expect(await refusal(order(who))).toBeNull();
  });

  it("is free again when its order is cancelled or expires, and so is ordering", async () => {
    const { who, code } = await holder();
    const cancelled = await order(who, code);
    await sale.openPayment(who, cancelled);
    await cancelOrder(who.viewer, { order_id: cancelled });
    const expired = await order(who, code);
    await sale.setClockAhead("31 minutes");
    await sweepJob.run({});
    expect([await sale.statusOf(expired), await stateOf(code)]).toEqual(["cancelled", "open"]);
    await sale.setClockAhead("0");
    expect(await sale.statusOf(await sale.sell(who, planId, 1, code))).toBe("completed");
  });

  it("has one winner among orders that are made at once, with it and without", async () => {
    const planIds = (await Promise.all([1, 2, 3].map(() => plan({ keys: 20 })))).map(({ id }) => id);
    for (let round = 0; round < 8; round += 1) {
      const { who, code, another } = await holder();
      const made = [code, undefined, another].map((each, n) => sale.orderOf(who, planIds[n]!, 1, each));
      const answers = await Promise.all(made.map(refusal));
      const [withCode, without, withAnother] = answers;
      expect(answers.filter((answer) => answer === null)).toHaveLength(1);
      if (without === null)
        expect([withCode, withAnother]).toEqual(["coupon_order_open", "coupon_order_open"]);
      else expect(without).toBe("first_order_open");
    }
  });

  it("that leaves nothing to pay has served the first order", async () => {
    const { who, another } = await holder();
    const whole = await createCoupon({ userId: who.id, firstOrderOnly: true, percent: 100 });
    const id = await order(who, whole);
    expect(await refusal(order(who, another))).toBe("coupon_order_open");
    expect((await completeFreeOrder(who.viewer, { order_id: id })).status).toBe("completed");
    expect(await refusal(order(who, another))).toBe("coupon_first_order");
  });

  it("is not taken again by a late payment when another order was paid meanwhile: the money goes back", async () => {
    const { who, code } = await holder();
    const late = await order(who, code);
    const { intentId } = await sale.openPayment(who, late);
    await cancelOrder(who.viewer, { order_id: late });
    await sale.sell(who, planId);
    await sale.payLate(intentId);
    expect([await sale.statusOf(late), await stateOf(code)]).toEqual(["refunded", "open"]);
  });

  it("keeps its order the first also when a cancelled one is paid late: that money goes back", async () => {
    const { who, code } = await holder();
    const late = await order(who);
    const { intentId } = await sale.openPayment(who, late);
    await cancelOrder(who.viewer, { order_id: late });
    const first = await order(who, code);
    await sale.payLate(intentId);
    expect(await sale.statusOf(late)).toBe("refunded");
    await sale.pay(who, first);
    await sale.settled();
    expect([await sale.statusOf(first), await stateOf(code)]).toEqual(["completed", "used"]);
  });
});
