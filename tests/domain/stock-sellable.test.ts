import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { db, transaction } from "@/db/client";
import { createKeys, createProduct, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import { addToCart, autoAddToCart } from "@/lib/cart/add-to-cart";
import { getCart } from "@/lib/cart/get-cart";
import { listProducts } from "@/lib/catalog/listing/list-products";
import { findProductPage } from "@/lib/catalog/product/find-product-page";
import { defaultRedeemMargin } from "@/lib/catalog/rules";
import { ConsoleStockInput } from "@/lib/delivery/console/contract";
import { listConsoleStock } from "@/lib/delivery/console/list-console-stock";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { getOrder } from "@/lib/orders/find-order";
import { sweepJob } from "@/lib/orders/jobs";
import * as sale from "../setup/sale";
import { registerSaleHooks } from "../setup/sale-hooks";
import { untilStatementWaits } from "../setup/waiting-statement";

registerSaleHooks();
let buyer: sale.Buyer;
beforeAll(async () => {
  buyer = await sale.createBuyer();
});

const createTestProduct = (...plans: PlanInput[]) => createProduct({ plans });
/** Sets the redemption dates of a plan's keys, oldest key first; null removes one. Returns the key ids. */
async function setRedeemBy(planId: number, intervals: (string | null)[]): Promise<string[]> {
  const keys = await db.execute<{ id: string }>(
    sql`select id from keys where plan_id = ${planId} order by created_at, id`,
  );
  for (const [index, interval] of intervals.entries())
    await db.execute(
      sql`update keys set redeem_by = shop_now() + ${interval}::interval where id = ${keys[index]!.id}`,
    );
  return keys.map((key) => key.id);
}

describe("a key whose redemption deadline is closer than the margin", () => {
  it("is not in stock and cannot be sold", async () => {
    const { id, slug, plans } = await createTestProduct({ keys: 2 });
    const planId = plans[0]!.id;
    await setRedeemBy(planId, ["14 days 1 hour", "14 days 1 hour"]);
    await createCartLine(buyer.id, planId);
    await sale.setClockAhead("2 hours");
    expect(await findProductPage({ slug, locale: "en" })).toMatchObject({
      stock: 0,
      stock_state: "sold_out",
      vip_options: [{ stock: 0, stock_state: "sold_out" }],
    });
    const list = await listProducts(
      { page: 1, size: 100, sort: "recommend", in_stock: true } as Parameters<typeof listProducts>[0],
      "en",
    );
    expect(list.items.filter((item) => item.product_id === id)).toEqual([]);
    const cart = await getCart(buyer.viewer, "en");
    expect(cart.cart_items[0]).toMatchObject({ stock: 0, stock_state: "sold_out" });
    await expect(sale.orderPlan(buyer, planId)).rejects.toThrow("sold_out");
    const other = await sale.createBuyer();
    await expect(addToCart(other.viewer, { product_id: id, vip_id: planId, quantity: 1 })).rejects.toThrow(
      "sold_out",
    );
    expect(await sale.countKeysByState(planId)).toEqual({ available: 2 });
  });

  it("is skipped in favour of a valid key, and the automatic choice takes a sellable plan", async () => {
    const { id, plans } = await createTestProduct({ keys: 2, priceCents: 500 }, { type: "month", keys: 1 });
    const [cheapPlan, lastingPlan] = plans.map((plan) => plan.id) as [number, number];
    const [, lastingKey] = await setRedeemBy(cheapPlan, ["14 days 1 hour", null]);
    await sale.setClockAhead("2 hours");
    const orderId = await sale.orderPlan(buyer, cheapPlan);
    const reserved = await db.execute(
      sql`select id from keys where plan_id = ${cheapPlan} and state = 'reserved'`,
    );
    expect([...reserved]).toEqual([{ id: lastingKey }]);
    const other = await sale.createBuyer();
    await autoAddToCart(other.viewer, { product_id: id });
    expect((await getCart(other.viewer, "en")).cart_items[0]!.vip_id).toBe(lastingPlan);
    await sale.pay(buyer, orderId);
    await sale.waitForEvents();
    await sale.runQueue();
    expect(await sale.getOrderStatus(orderId)).toBe("completed");
  });
});

it("keys are sold by redemption date, those without a date last", async () => {
  const { plans } = await createTestProduct({ keys: 3 });
  const planId = plans[0]!.id;
  const [withoutDate, laterKey, soonKey] = await setRedeemBy(planId, [null, "29 days", "22 days"]);
  const soldKeys: string[] = [];
  for (let round = 0; round < 3; round++) {
    await sale.orderPlan(await sale.createBuyer(), planId);
    const reserved = await db.execute<{ id: string }>(
      sql`select id from keys where plan_id = ${planId} and state = 'reserved'`,
    );
    soldKeys.push(...reserved.map((key) => key.id).filter((key) => !soldKeys.includes(key)));
  }
  expect(soldKeys).toEqual([soonKey, laterKey, withoutDate]);
});

describe("the margin of a plan", () => {
  const listStock = async (planId: number) => {
    const stock = await db.execute<{ in_stock: boolean }>(sql`
      select in_stock from listing_index where plan_id = ${planId}`);
    return stock.map((row) => row.in_stock);
  };

  it("is 14 days, or a longer day or week pass's own length, or what the import says", async () => {
    const { plans } = await createTestProduct(
      { type: "day" },
      { type: "week", days: 21 },
      { type: "month" },
      { type: "year", redeemMarginDays: 60 },
      { type: "week", redeemMarginDays: 8 },
    );
    const rows = await db.execute<{ margin: number }>(sql`
      select sell_margin(pl) as margin from plans pl where id in ${plans.map(({ id }) => id)} order by id`);
    expect(rows.map(({ margin }) => margin)).toEqual([14, 21, 14, 60, 8]);
    expect([
      defaultRedeemMargin({ type: "day", days: 1 }),
      defaultRedeemMargin({ type: "week", days: 21 }),
      defaultRedeemMargin({ type: "month", days: 30 }),
    ]).toEqual([14, 21, 14]);
  });

  it("applies immediately to keys in stock and in an order when it changes, and to later keys", async () => {
    const { plans } = await createTestProduct({ type: "month", keys: 2 });
    const planId = plans[0]!.id;
    await setRedeemBy(planId, ["20 days", "20 days"]);
    const orderId = await sale.orderPlan(buyer, planId);
    expect(await listStock(planId)).toEqual([true]);
    await db.execute(sql`update plans set redeem_margin_days = 30 where id = ${planId}`);
    expect(await listStock(planId)).toEqual([false]);
    await cancelOrder(buyer.viewer, { order_id: orderId });
    await expect(sale.orderPlan(buyer, planId)).rejects.toThrow("sold_out");
    await createKeys(planId, 1);
    await db.execute(
      sql`update keys set redeem_by = shop_now() + interval '25 days' where plan_id = ${planId}`,
    );
    await expect(sale.orderPlan(buyer, planId)).rejects.toThrow("sold_out");
    await db.execute(sql`update plans set redeem_margin_days = 5 where id = ${planId}`);
    expect(await listStock(planId)).toEqual([true]);
    await sale.orderPlan(buyer, planId);
  });

  it("applies its new value to an import that runs while it changes", async () => {
    const { plans } = await createTestProduct({ type: "month" });
    const planId = plans[0]!.id;
    await createKeys(planId, 1);
    const changes: Promise<unknown>[] = [];
    await transaction(async (tx) => {
      await tx.execute(
        sql`update keys set redeem_by = shop_now() + interval '20 days' where plan_id = ${planId}`,
      );
      changes.push(
        transaction((other) =>
          other.execute(sql`update plans set redeem_margin_days = 30 where id = ${planId}`),
        ),
      );
      await untilStatementWaits();
    });
    await Promise.all(changes);
    const [key] = await db.execute<{ days: number }>(sql`
      select extract(epoch from redeem_by - sell_by)::int / 86400 as days from keys where plan_id = ${planId}`);
    expect(key!.days).toBe(30);
  });

  it("applies to the stock that shoppers and staff see", async () => {
    const { id, plans } = await createTestProduct({ type: "month", keys: 2 });
    const planId = plans[0]!.id;
    await setRedeemBy(planId, ["13 days", "20 days"]);
    const listStaffStock = async (filters: object = {}) =>
      (await listConsoleStock(ConsoleStockInput.parse({ vip_id: planId, ...filters }), "en")).items;
    const [shown] = (await findProductPage({ id, locale: "en" }))!.vip_options;
    expect(shown).toMatchObject({ stock: 1 });
    expect(await listStaffStock()).toMatchObject([{ available: 1, next_redeem_by: shown!.redeem_by }]);
    await setRedeemBy(planId, ["13 days", "13 days"]);
    expect(await listStaffStock({ no_stock: true })).toMatchObject([{ available: 0 }]);
    expect((await findProductPage({ id, locale: "en" }))!.vip_options[0]).toMatchObject({
      stock: 0,
      redeem_by: null,
      redeem_margin_days: 14,
    });
  });
});

describe("the redemption deadline", () => {
  it("is that of the earliest code a line sells in cart and order, and each code's own once it is paid", async () => {
    const { id, plans } = await createTestProduct({ type: "month", keys: 4 });
    const planId = plans[0]!.id;
    await setRedeemBy(planId, ["13 days", "20 days", "30 days", null]); // the first one is too close to be sold
    const days = await db.execute<{ at: string }>(
      sql`select redeem_by as at from keys where plan_id = ${planId} and redeem_by is not null order by redeem_by`,
    );
    const [, first, second] = days.map(({ at }) => new Date(at).toISOString());
    const owner = await sale.createBuyer();
    const readCart = async (reader: sale.Buyer) =>
      (await getCart(reader.viewer, "en")).cart_items.map((item) => item.redeem_by);
    const readOrder = async () => (await getOrder(owner.viewer, orderId, "en")).order_products[0]!;
    await addToCart(owner.viewer, { product_id: id, vip_id: planId, quantity: 2 });
    expect(await readCart(owner)).toEqual([first]);
    const orderId = await sale.orderPlan(owner, planId, 2);
    expect(await readOrder()).toMatchObject({ redeem_by: first, keys: [] });
    const other = await sale.createBuyer();
    await addToCart(other.viewer, { product_id: id, vip_id: planId, quantity: 1 });
    expect(await readCart(other)).toEqual([null]);
    await sale.pay(owner, orderId);
    await sale.processEvents();
    await sale.runQueue();
    const paid = await readOrder();
    expect([paid.redeem_by, ...paid.keys.map((key) => key.redeem_by)]).toEqual([null, first, second]);
  });
});

describe("a pre-order whose release date has passed", () => {
  const pastDate = () => new Date(Date.now() - 100 * 3_600_000);

  it("is sold from stock, and is sold out without stock", async () => {
    const created = await createTestProduct(
      { availability: "pre_order", releasesAt: pastDate(), keys: 1 },
      { type: "month", availability: "pre_order", releasesAt: pastDate() },
    );
    const [inStock, soldOut] = created.plans.map((plan) => plan.id) as [number, number];
    const page = await findProductPage({ slug: created.slug, locale: "en" });
    expect(page!.vip_options.map((option) => option.stock_state)).toEqual(["low", "sold_out"]);
    await expect(sale.orderPlan(buyer, soldOut)).rejects.toThrow("sold_out");
    const id = await sale.sell(buyer, inStock);
    expect(await sale.listOrderEvents(id)).toEqual(["created", "payment_verified", "assigned", "delivered"]);
  });

  it("gives later payments a delivery deadline of 72 hours without an immediate refund", async () => {
    const { plans } = await createTestProduct({ availability: "pre_order" });
    const id = await sale.orderPlan(buyer, plans[0]!.id);
    await db.execute(
      sql`update order_lines set deliver_by = shop_now() - interval '1 hour' where order_id = ${id}`,
    );
    await sale.pay(buyer, id);
    await sale.waitForEvents();
    await sale.runQueue({ mails: false });
    await sweepJob.run(undefined);
    expect(await sale.getOrderStatus(id)).toBe("processing");
    const [line] = await db.execute(
      sql`select round(extract(epoch from deliver_by - shop_now()) / 3600)::int as hours from order_lines where order_id = ${id}`,
    );
    expect(line).toEqual({ hours: 72 });
  });
});
