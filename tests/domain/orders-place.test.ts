import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createSinglePlan, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { getCart } from "@/lib/cart/get-cart";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { getOrder } from "@/lib/orders/find-order";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { getErrorName } from "../setup/error-name";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { untilStatementWaits } from "../setup/waiting-statement";

registerSaleHooks();
let buyer: sale.Buyer;
const useNewBuyer = async () => {
  buyer = await sale.createBuyer();
  return buyer;
};
const createTestPlan = (input: PlanInput = {}) => createSinglePlan({ keys: 3, ...input });
const placeTestOrder = (cart_record_ids?: string[], user = buyer) =>
  placeOrder(user.viewer, cart_record_ids ? { cart_record_ids } : {}, "en");
const getDetail = (orderId: string) => getOrder(buyer.viewer, orderId, "en");
const countOrders = async (userId: string) =>
  (await db.execute<{ n: number }>(sql`select count(*)::int as n from orders where user_id = ${userId}`))[0]!
    .n;
const getClaimedUnits = async (dealId: string | null) =>
  (await db.execute<{ claimed: number }>(sql`select claimed from deals where id = ${dealId}`))[0]!.claimed;

describe("an order without the cart", () => {
  const buyNow = (vip_id: number, more: object = {}) => placeOrder(buyer.viewer, { vip_id, ...more }, "en");

  it("of one unit leaves the cart unchanged, even a line of the same plan", async () => {
    const { id: userId } = await useNewBuyer();
    const plan = await createTestPlan({ priceCents: 499, keys: 9 });
    await createCartLine(userId, plan.id, { quantity: 3 });
    const placed = await buyNow(plan.id);
    expect(placed.final_amount).toBe(4.99);
    expect((await getDetail(placed.order_id)).order_products).toMatchObject([
      { vip_id: plan.id, quantity: 1, price: 4.99 },
    ]);
    expect((await getCart(buyer.viewer, "en")).cart_items).toMatchObject([{ vip_id: plan.id, quantity: 3 }]);
    expect(await sale.countKeysByState(plan.id)).toEqual({ reserved: 1, available: 8 });
  });

  it("of named passes has exactly these, is reused at a second press, and leaves the cart unchanged", async () => {
    const { id: userId } = await useNewBuyer();
    const [week, other] = [
      await createTestPlan({ priceCents: 499, keys: 9 }),
      await createTestPlan({ priceCents: 250 }),
    ];
    await createCartLine(userId, week.id, { quantity: 3 });
    const passes = [
      { vip_id: other.id, quantity: 1 },
      { vip_id: week.id, quantity: 2 },
    ];
    const place = (more: object = {}) => placeOrder(buyer.viewer, { passes, ...more }, "en");
    const placed = await place({ expected_total: 12.48 });
    expect(placed.final_amount).toBe(12.48);
    expect((await getDetail(placed.order_id)).order_products).toMatchObject([
      { vip_id: other.id, quantity: 1 },
      { vip_id: week.id, quantity: 2 },
    ]);
    expect((await place()).order_id).toBe(placed.order_id);
    expect((await getCart(buyer.viewer, "en")).cart_items).toMatchObject([{ vip_id: week.id, quantity: 3 }]);
    expect((await buyNow(week.id)).order_id).not.toBe(placed.order_id);
    const refused = [
      place({ expected_total: 1 }),
      place({ vip_id: week.id }),
      placeOrder(buyer.viewer, { passes: [...passes, { vip_id: 999_999_999, quantity: 1 }] }, "en"),
    ];
    const names = await Promise.all(refused.map(getErrorName));
    expect(names).toEqual(["total_changed", "invalid_input", "product_unknown"]);
  });

  it("is reused at a second press, and replaced when price or coupon differ", async () => {
    await useNewBuyer();
    const plan = await createTestPlan({ priceCents: 499, keys: 9 });
    const [first, ...others] = await Promise.all([buyNow(plan.id), buyNow(plan.id), buyNow(plan.id)]);
    expect(others.map(({ order_id }) => order_id)).toEqual([first!.order_id, first!.order_id]);
    expect(await sale.countKeysByState(plan.id)).toEqual({ reserved: 1, available: 8 });
    await db.execute(sql`update plans set price_cents = 599 where id = ${plan.id}`);
    const dearer = await buyNow(plan.id);
    expect(dearer).toMatchObject({ final_amount: 5.99 });
    await sale.setClockAhead("11 minutes");
    expect((await buyNow(plan.id)).order_id).toBe(dearer.order_id);
    await sale.setClockAhead("26 minutes");
    expect((await buyNow(plan.id)).order_id).not.toBe(dearer.order_id);
  });

  it("is reused even while it holds the last code", async () => {
    await useNewBuyer();
    const plan = await createTestPlan({ keys: 1 });
    const first = await buyNow(plan.id);
    expect((await buyNow(plan.id)).order_id).toBe(first.order_id);
    await useNewBuyer();
    expect(await getErrorName(buyNow(plan.id))).toBe("sold_out");
  });

  it("is not reused for another pass, even a free one", async () => {
    const { id: userId } = await useNewBuyer();
    const [paid, free] = [await createTestPlan({ keys: 9 }), await createTestPlan({ priceCents: 0 })];
    const lines = [await createCartLine(userId, paid.id), await createCartLine(userId, free.id)];
    const both = await placeTestOrder(lines);
    const single = await buyNow(paid.id);
    expect(single.order_id).not.toBe(both.order_id);
    expect((await getDetail(single.order_id)).order_products).toMatchObject([{ vip_id: paid.id }]);
  });

  it("does not wait for an open one that another call has locked", async () => {
    await useNewBuyer();
    const plan = await createTestPlan({ keys: 9 });
    const { order_id } = await buyNow(plan.id);
    await transaction(async (tx) => {
      await tx.execute(sql`select 1 from orders where id = ${order_id} for update`);
      expect((await buyNow(plan.id)).order_id).toBe(order_id);
    });
  });

  it("is refused for unknown, unlisted and sold-out plans, and beside cart lines", async () => {
    const { id: userId } = await useNewBuyer();
    const soldOut = await createTestPlan({ keys: 0 });
    const unlisted = await createTestPlan();
    await db.execute(sql`update plans set listed = false where id = ${unlisted.id}`);
    expect(await getErrorName(buyNow(2_000_000_000))).toBe("product_unknown");
    expect(await getErrorName(buyNow(soldOut.id))).toBe("sold_out");
    expect(await getErrorName(buyNow(unlisted.id))).toBe("product_unknown");
    const plan = await createTestPlan();
    const line = await createCartLine(userId, plan.id);
    expect(await getErrorName(buyNow(plan.id, { cart_record_ids: [line] }))).toBe("invalid_input");
    expect(await countOrders(userId)).toBe(0);
  });

  it("counts the purchase limit", async () => {
    await useNewBuyer();
    const plan = await createTestPlan({ purchaseLimit: 1 });
    await sale.pay(buyer, (await buyNow(plan.id)).order_id);
    await sale.processEvents();
    expect(await getErrorName(buyNow(plan.id))).toBe("purchase_limit");
  });
});

describe("an order", () => {
  it("keeps the line order of the cart", async () => {
    const { id: userId } = await useNewBuyer();
    const plans = [await createTestPlan(), await createTestPlan(), await createTestPlan()];
    const [first, second, third] = [plans[1]!.id, plans[2]!.id, plans[0]!.id];
    for (const id of [first, second, third]) await createCartLine(userId, id);
    const cartPlanIds = (await getCart(buyer.viewer, "en")).cart_items.map((item) => item.vip_id);
    expect(cartPlanIds).toEqual([first, second, third]);
    const { order_id } = await placeTestOrder();
    expect((await getDetail(order_id)).order_products.map((line) => line.vip_id)).toEqual(cartPlanIds);
  });

  it("contains the selected lines at the server's prices and reserves their keys for 30 minutes", async () => {
    const { id: userId } = await useNewBuyer();
    const [week, month, deselected] = [
      await createTestPlan({ priceCents: 499, keys: 9 }),
      await createTestPlan({ priceCents: 1999, keys: 9 }),
      await createTestPlan(),
    ];
    await createCartLine(userId, week.id, { quantity: 2 });
    await createCartLine(userId, month.id);
    await createCartLine(userId, deselected.id, { selected: false });
    const placed = await placeTestOrder();
    expect(placed.final_amount).toBe(29.97);
    const order = await getDetail(placed.order_id);
    expect(order).toMatchObject({
      status: "pending",
      send_email: buyer.email,
      subtotal: 29.97,
      discount_amount: 0,
      final_amount: 29.97,
      can_pay: true,
      can_cancel: true,
    });
    expect(order.order_products.map((line) => [line.vip_id, line.quantity, line.price, line.total])).toEqual(
      expect.arrayContaining([
        [week.id, 2, 4.99, 9.98],
        [month.id, 1, 19.99, 19.99],
      ]),
    );
    expect(order.seconds_left).toBeGreaterThan(1700);
    expect(await sale.countKeysByState(week.id)).toEqual({ reserved: 2, available: 7 });
    expect((await getCart(buyer.viewer, "en")).cart_items.map((item) => item.vip_id)).toEqual([
      deselected.id,
    ]);
    expect(await sale.listOrderMails(placed.order_id)).toEqual([]);
  });

  it("contains the named lines, selected or not", async () => {
    const { id: userId } = await useNewBuyer();
    const [firstPlan, secondPlan] = [await createTestPlan(), await createTestPlan()];
    await createCartLine(userId, firstPlan.id);
    const deselectedLine = await createCartLine(userId, secondPlan.id, { selected: false });
    const placed = await placeTestOrder([deselectedLine, deselectedLine]);
    expect((await getDetail(placed.order_id)).order_products.map((line) => line.vip_id)).toEqual([
      secondPlan.id,
    ]);
  });

  it("is rejected without lines, and for missing and other users' lines with the same error", async () => {
    const other = await sale.createBuyer();
    const { id: userId } = await useNewBuyer();
    expect(await getErrorName(placeTestOrder())).toBe("nothing_selected");
    const product = await createTestPlan();
    const ownLine = await createCartLine(userId, product.id);
    const foreignLine = await createCartLine(other.id, product.id);
    expect(await getErrorName(placeTestOrder(["cart_missing"]))).toBe("cart_line_unknown");
    expect(await getErrorName(placeTestOrder([foreignLine]))).toBe("cart_line_unknown");
    expect(await getErrorName(placeTestOrder([ownLine, foreignLine]))).toBe("cart_line_unknown");
    expect(await countOrders(userId)).toBe(0);
    expect(await sale.countKeysByState(product.id)).toEqual({ available: 3 });
  });

  it("keeps the price and refund rule of its time", async () => {
    await useNewBuyer();
    const product = await createTestPlan({ type: "month", priceCents: 1999 });
    const id = await sale.orderPlan(buyer, product.id);
    await db.execute(
      sql`update plans set price_cents = 2999, list_price_cents = null where id = ${product.id}`,
    );
    expect(await getDetail(id)).toMatchObject({ final_amount: 19.99 });
    const [line] = await db.execute(sql`select refund_rule from order_lines where order_id = ${id}`);
    expect(line?.refund_rule).toEqual({ days: 15, refundable: true, reason: "refundable" });
  });

  it("reserves all lines or none", async () => {
    const { id: userId } = await useNewBuyer();
    const [inStock, shortPlan] = [
      await createTestPlan(),
      await createTestPlan({ keys: 1, deal: { quantity: 5 } }),
    ];
    await createCartLine(userId, inStock.id, { quantity: 2 });
    await createCartLine(userId, shortPlan.id, { quantity: 2 });
    expect(await getErrorName(placeTestOrder())).toBe("sold_out");
    expect(await sale.countKeysByState(inStock.id)).toEqual({ available: 3 });
    expect(await getClaimedUnits(shortPlan.dealId)).toBe(0);
    expect((await getCart(buyer.viewer, "en")).total).toBe(2);
  });

  it.each([
    ["without keys", { keys: 0 }, {}],
    ["paused", { availability: "paused" }, {}],
    ["unlisted", { listed: false }, {}],
  ] as [string, PlanInput, object][])("is rejected as sold out: %s", async (_, input) => {
    const { id: userId } = await useNewBuyer();
    const line = await createCartLine(userId, (await createTestPlan(input)).id);
    expect(await getErrorName(placeTestOrder([line]))).toBe("sold_out");
  });
});

describe("a deal", () => {
  it("is claimed by unit, and a line above the remaining units gets the regular price", async () => {
    const product = await createTestPlan({
      keys: 9,
      priceCents: 1000,
      deal: { priceCents: 400, quantity: 3 },
    });
    await useNewBuyer();
    expect((await getDetail(await sale.orderPlan(buyer, product.id, 2))).final_amount).toBe(8);
    await useNewBuyer();
    expect((await getDetail(await sale.orderPlan(buyer, product.id, 2))).final_amount).toBe(20);
    await useNewBuyer();
    expect((await getDetail(await sale.orderPlan(buyer, product.id, 1))).final_amount).toBe(4);
    expect(await getClaimedUnits(product.dealId)).toBe(3);
    const refundRules = await db.execute(
      sql`select refund_rule->>'reason' as reason from order_lines where deal_id = ${product.dealId}`,
    );
    expect(new Set(refundRules.map((row) => row.reason))).toEqual(new Set(["limited_time"]));
  });

  it("ends at its time", async () => {
    await useNewBuyer();
    const product = await createTestPlan({ deal: { priceCents: 400, endsIn: "10 minutes" } });
    await sale.setClockAhead("10 minutes");
    expect((await getDetail(await sale.orderPlan(buyer, product.id))).final_amount).toBe(10);
  });

  it("is never over-claimed by 20 buyers of 7 units", async () => {
    const product = await createTestPlan({
      keys: 20,
      priceCents: 1000,
      deal: { priceCents: 400, quantity: 7 },
    });
    const buyers = await Promise.all(Array.from({ length: 20 }, () => sale.createBuyer()));
    const orders = await Promise.all(buyers.map((user) => sale.orderPlan(user, product.id)));
    const totals = await db.execute<{ total_cents: number }>(
      sql`select total_cents from orders where id in ${orders}`,
    );
    expect(totals.filter((order) => order.total_cents === 400)).toHaveLength(7);
    expect(await getClaimedUnits(product.dealId)).toBe(7);
  });
});

describe("the purchase limit", () => {
  it("counts bought and reserved units", async () => {
    const { id: userId } = await useNewBuyer();
    const product = await createTestPlan({ keys: 9, purchaseLimit: 2 });
    await sale.orderPlan(buyer, product.id);
    const cartLine = await createCartLine(userId, product.id, { quantity: 2 });
    expect(await getErrorName(placeTestOrder([cartLine]))).toBe("purchase_limit");
    await createCartLine(userId, product.id, { quantity: 1 });
    expect(await getErrorName(placeTestOrder([cartLine]))).toBe(null);
    expect(await sale.countKeysByState(product.id)).toEqual({ reserved: 2, available: 7 });
  });

  it.each([1, 2, 3])("of %i is kept for ten tabs at once, and can be used fully", async (purchaseLimit) => {
    const { id: userId } = await useNewBuyer();
    const product = await createTestPlan({ keys: 20, purchaseLimit });
    // A cart has one line for a plan. Each tab adds it again while the others place their orders.
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, async () => {
        for (let tries = 0; tries < 4; tries++) {
          const line = await createCartLine(userId, product.id);
          const error = await getErrorName(placeTestOrder([line]));
          if (error !== "cart_line_unknown") return error;
        }
        return "cart_line_unknown";
      }),
    );
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(purchaseLimit);
    expect(
      outcomes.filter(
        (outcome) => outcome !== null && !["purchase_limit", "cart_line_unknown"].includes(outcome),
      ),
    ).toEqual([]);
    expect(await sale.countKeysByState(product.id)).toEqual({
      reserved: purchaseLimit,
      available: 20 - purchaseLimit,
    });
  });
});

describe("the last key", () => {
  it("is sold to one of two concurrent buyers, and one cart gives one order", async () => {
    for (let round = 0; round < 10; round++) {
      const product = await createTestPlan({ keys: 1 });
      const twoBuyers = await Promise.all([sale.createBuyer(), sale.createBuyer()]);
      const outcomes = await Promise.all(
        twoBuyers.flatMap(async (rival) => {
          const line = await createCartLine(rival.id, product.id);
          return Promise.all([
            getErrorName(placeTestOrder([line], rival)),
            getErrorName(placeTestOrder([line], rival)),
          ]);
        }),
      );
      expect(outcomes.flat().filter((outcome) => outcome === null)).toHaveLength(1);
      expect(await sale.countKeysByState(product.id)).toEqual({ reserved: 1 });
    }
  });

  it("is sold to a waiting buyer when the transaction that locked it rolls back", async () => {
    const product = await createTestPlan({ keys: 1 });
    const user = await useNewBuyer();
    const line = await createCartLine(user.id, product.id);
    let placing: Promise<unknown> = Promise.resolve("unplaced");
    await transaction(async (tx) => {
      await tx.execute(sql`select id from keys where plan_id = ${product.id} for update`);
      placing = getErrorName(placeTestOrder([line]));
      await untilStatementWaits();
      throw new Error("rolled back");
    }).catch((error: Error) => expect(error.message).toBe("rolled back"));
    expect(await placing).toBe(null);
  });

  it("is found when it was released while the buyer waited for another key's lock", async () => {
    const product = await createTestPlan({ keys: 2 });
    const user = await useNewBuyer();
    const line = await createCartLine(user.id, product.id);
    const holder = await sale.createBuyer();
    const heldOrder = await sale.orderPlan(holder, product.id); // reserves one key
    let placing: Promise<unknown> = Promise.resolve("unplaced");
    await transaction(async (tx) => {
      // locks the other key, then revokes it
      const [other] = await tx.execute<{ id: string }>(
        sql`select id from keys where plan_id = ${product.id} and state = 'available' for update`,
      );
      placing = getErrorName(placeTestOrder([line]));
      await untilStatementWaits();
      await cancelOrder(holder.viewer, { order_id: heldOrder });
      await tx.execute(sql`update keys set state = 'revoked' where id = ${other!.id}`);
    });
    expect(await placing).toBe(null);
  });
});
