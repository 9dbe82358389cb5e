import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { createSinglePlan } from "@/db/factories/catalog";
import { createCoupon } from "@/db/factories/coupons";
import { addToCart } from "@/lib/cart/add-to-cart";
import { getCart } from "@/lib/cart/get-cart";
import { listLibrary } from "@/lib/delivery/library/list-library";
import { getOrder } from "@/lib/orders/find-order";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { isShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";

registerSaleHooks();
let buyer: sale.Buyer;
beforeEach(async () => {
  buyer = await sale.createBuyer();
});

const setPrice = (planId: number, cents: number) =>
  db.execute(sql`update plans set price_cents = ${cents} where id = ${planId}`);
const add = async (planId: number, quantity = 1) => {
  const [plan] = await db.execute<{ product_id: number }>(
    sql`select product_id from plans where id = ${planId}`,
  );
  const input = { product_id: plan!.product_id, vip_id: planId, quantity };
  return (await addToCart(buyer.viewer, input)).cart_id;
};
const order = (input: object, locale: Locale = "en") => placeOrder(buyer.viewer, input, locale);
/** What a refusal says, and the total that it names. */
async function refusal(placing: Promise<unknown>) {
  const error: unknown = await placing.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!isShopError(error, "total_changed")) throw error ?? new Error("the order was placed");
  return error.issues![0]!;
}
const countOrders = () => db.$count(sql`orders`, sql`user_id = ${buyer.id}`);

describe("a pass whose price rises while it is in the cart", () => {
  it("shows in the cart and at the checkout what it cost when it was added", async () => {
    const plan = await createSinglePlan({ priceCents: 1190, keys: 3 });
    const cartId = await add(plan.id);
    const readCart = async () => (await getCart(buyer.viewer, "en")).cart_items[0];
    expect(await readCart()).toMatchObject({ price: 11.9, added_price: null });
    await setPrice(plan.id, 990);
    expect(await readCart()).toMatchObject({ price: 9.9, added_price: null });
    await setPrice(plan.id, 1490);
    expect(await readCart()).toMatchObject({ price: 14.9, added_price: 11.9 });
    const { order_id } = await order({ cart_record_ids: [cartId], expected_total: 14.9 });
    await setPrice(plan.id, 1990);
    const line = async () => (await getOrder(buyer.viewer, order_id, "en")).order_products[0];
    expect(await line()).toMatchObject({ price: 14.9, added_price: 11.9 });
    await sale.pay(buyer, order_id);
    await sale.processEvents();
    expect(await line()).toMatchObject({ price: 14.9, added_price: null });
  });

  it("shows it when the deal it was added under has ended", async () => {
    const plan = await createSinglePlan({
      priceCents: 1490,
      keys: 3,
      deal: { priceCents: 790, endsIn: "1 hour" },
    });
    await add(plan.id, 2);
    await sale.setClockAhead("2 hours");
    expect((await getCart(buyer.viewer, "en")).cart_items[0]).toMatchObject({
      price: 14.9,
      line_total: 29.8,
      added_price: 7.9,
    });
  });
});

describe("an order with an expected total", () => {
  it.each([
    ["en", "The total is now $13.00, not $12.00."],
    ["zh", "总额现在是 US$13.00，不是 US$12.00。"],
    ["ja", "合計はUS$12.00ではなく、現在US$13.00です。"],
  ] as const)(
    "that differs from the sum is refused in %s with the sum, and holds nothing",
    async (locale, text) => {
      const plan = await createSinglePlan({ priceCents: 600, keys: 3 });
      const cart_record_ids = [await add(plan.id, 2)];
      await setPrice(plan.id, 650);
      const issue = await refusal(order({ cart_record_ids, expected_total: 12 }, locale));
      expect(issue).toMatchObject({ path: "expected_total", actual: 13 });
      expect(issue.message).toContain(text);
      expect(await countOrders()).toBe(0);
      expect(await sale.countKeysByState(plan.id)).toEqual({ available: 3 });
      expect(await order({ cart_record_ids, expected_total: issue.actual })).toMatchObject({
        final_amount: 13,
      });
    },
  );

  it("is refused when the total is lower or not in whole cents, and accepted without one", async () => {
    const plan = await createSinglePlan({ priceCents: 600, keys: 3 });
    expect((await refusal(order({ vip_id: plan.id, expected_total: 7 }))).actual).toBe(6);
    expect((await refusal(order({ vip_id: plan.id, expected_total: 6.001 }))).actual).toBe(6);
    expect(await order({ vip_id: plan.id })).toMatchObject({ final_amount: 6 });
  });

  it("is checked for the open order found by a second press, and for what coupons leave", async () => {
    const plan = await createSinglePlan({ priceCents: 600, keys: 3 });
    const first = await order({ vip_id: plan.id, expected_total: 6 });
    expect((await refusal(order({ vip_id: plan.id, expected_total: 5 }))).actual).toBe(6);
    expect(await order({ vip_id: plan.id, expected_total: 6 })).toEqual(first);
    const coupon_code = await createCoupon({ userId: buyer.id, amountCents: 200 });
    const withCoupon = { vip_id: plan.id, coupon_code };
    expect((await refusal(order({ ...withCoupon, expected_total: 6 }))).actual).toBe(4);
    expect(await order({ ...withCoupon, expected_total: 4 })).toMatchObject({ final_amount: 4 });
  });

  it("of zero is refused once a free pass costs something", async () => {
    const plan = await createSinglePlan({ priceCents: 0, type: "day", keys: 3 });
    const cart_record_ids = [await add(plan.id)];
    await db.execute(sql`update plans set price_cents = 300 where id = ${plan.id}`);
    expect((await refusal(order({ cart_record_ids, expected_total: 0 }))).actual).toBe(3);
    expect(await countOrders()).toBe(0);
  });
});

it("the Library shows what a pass cost, so that buying it again can be refused when it costs more", async () => {
  const plan = await createSinglePlan({ priceCents: 600, keys: 3 });
  await sale.sell(buyer, plan.id);
  const [item] = (await listLibrary(buyer.viewer, "en")).items;
  expect(item).toMatchObject({ vip_id: plan.id, price: 6 });
});
