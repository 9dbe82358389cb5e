import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { type CreatedProduct, createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { findProductView } from "@/lib/catalog/product/queries";
import { productSeo } from "@/lib/catalog/seo";
import { getOrder } from "@/lib/orders/queries";
import { ORDER_STATUSES } from "@/lib/orders/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { createReview } from "@/lib/reviews/commands";
import { listReviews } from "@/lib/reviews/queries";
import * as sale from "../setup/sale";

let product: CreatedProduct;
let buyer: sale.Buyer;
beforeAll(async () => {
  sale.receiveEventsHere();
  product = await createProduct();
  buyer = await sale.newBuyer({ username: "Mia Long" });
});
afterAll(sale.endSale);

const words = { title: "Good", content: "It works.", rating: 4 };
const plan = () => product.plans[0]!.id;
const write = (who: sale.Buyer, orderId: string, given: object = {}) =>
  createReview(who.viewer, { product_id: product.id, order_id: orderId, ...words, ...given });
const listed = (productId = product.id, page = 1, size = 5) =>
  listReviews({ product_id: productId, page, size });
const count = async () => (await listed()).total;

describe("who may write a review", () => {
  it.each(ORDER_STATUSES)("of an order that is %s", async (status) => {
    const { id } = await createOrder(buyer, plan(), { status });
    const before = await count();
    const delivered = status === "shipped" || status === "completed";
    if (delivered) await expect(write(buyer, id)).resolves.toHaveProperty("review_id");
    else await expect(write(buyer, id)).rejects.toMatchObject({ error: "review_not_bought" });
    expect(await count()).toBe(before + (delivered ? 1 : 0));
  });

  it("answers another's order, a deleted one and none alike", async () => {
    const { id } = await createOrder(buyer, plan(), { status: "completed" });
    const stranger = await sale.newBuyer();
    await expect(write(stranger, id)).rejects.toMatchObject({ error: "order_unknown" });
    await expect(write(stranger, "ord_none")).rejects.toMatchObject({ error: "order_unknown" });
    await db.execute(sql`update orders set hidden_at = shop_now() where id = ${id}`);
    await expect(write(buyer, id)).rejects.toMatchObject({ error: "order_unknown" });
  });

  it("not of a product that the order does not hold, nor of none", async () => {
    const other = await createProduct();
    const { id } = await createOrder(buyer, plan(), { status: "completed" });
    for (const product_id of [other.id, 2_000_000_000])
      await expect(write(buyer, id, { product_id })).rejects.toMatchObject({ error: "review_not_bought" });
    expect((await listed(other.id)).total).toBe(0);
  });

  it("not when all of it was given back; a part may still be spoken of", async () => {
    const { id, lineId } = await createOrder(buyer, plan(), { status: "completed", quantity: 2 });
    const refund = (quantity: number) =>
      db.execute(sql`update order_lines set refunded_quantity = ${quantity} where id = ${lineId}`);
    await refund(2);
    await expect(write(buyer, id)).rejects.toMatchObject({ error: "review_not_bought" });
    await refund(1);
    await expect(write(buyer, id)).resolves.toHaveProperty("review_id");
  });

  it("once for an order and product, also when asked ten times at once", async () => {
    const { id } = await createOrder(buyer, plan(), { status: "completed" });
    const before = await count();
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => write(buyer, id)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of tries)
      if (one.status === "rejected") expect(one.reason).toMatchObject({ error: "review_exists" });
    expect(await count()).toBe(before + 1);
    const second = await createOrder(buyer, plan(), { status: "completed" });
    await expect(write(buyer, second.id)).resolves.toHaveProperty("review_id");
  });
});

describe("what the order says", () => {
  it("that a delivered pass can be reviewed, and then that it was", async () => {
    const made = await createProduct({ plans: [{ keys: 1 }] });
    const orderId = await sale.sell(buyer, made.plans[0]!.id);
    const state = async () => (await getOrder(buyer.viewer, orderId, "en")).order_products[0]?.review;
    expect(await state()).toBe("open");
    await createReview(buyer.viewer, { product_id: made.id, order_id: orderId, ...words });
    expect(await state()).toBe("written");
    const waiting = await sale.orderOf(buyer, (await createProduct()).plans[0]!.id);
    const [line] = (await getOrder(buyer.viewer, waiting, "en")).order_products;
    expect(line?.review).toBe("none");
  });
});

describe("the list of reviews", () => {
  const RATINGS = [5, 4, 4, 1, 5, 3, 5];
  let shown: CreatedProduct;
  beforeAll(async () => {
    shown = await createProduct();
    for (const [i, rating] of RATINGS.entries()) {
      const locale: Locale = i === 0 ? "ja" : "en";
      const who = await sale.newBuyer({ username: i === 0 ? "さくら" : `👩‍🚀${i} Ada`, locale });
      const { id } = await createOrder(who, shown.plans[0]!.id, { status: "shipped" });
      const content = i === 0 ? "便利です" : `Number ${i}`;
      await createReview(who.viewer, { product_id: shown.id, order_id: id, title: "Word", content, rating });
    }
  });

  it("tells all of them in figures and shows the newest first, a page at a time", async () => {
    const [first, second, third] = await Promise.all([1, 2, 3].map((page) => listed(shown.id, page)));
    expect(first?.summary).toEqual({ average: 3.9, count: 7, stars: [1, 0, 1, 2, 3] });
    expect(first?.items.map(({ content }) => content)).toEqual(
      [6, 5, 4, 3, 2].map((number) => `Number ${number}`),
    );
    expect(second?.items.map(({ content }) => content)).toEqual(["Number 1", "便利です"]);
    expect(second?.total).toBe(7);
    expect(third?.items).toEqual([]);
  });

  it("gives away the first letter of a name and nothing else of who wrote", async () => {
    const { items } = await listed(shown.id, 1, 100);
    expect(items.map(({ author }) => author)).toEqual([...Array(6).fill("👩‍🚀***"), "さ***"]);
    expect(items.at(-1)).toMatchObject({ language: "ja", verified: true, rating: 5 });
    expect(JSON.stringify(items)).not.toMatch(/@|usr_|ord_/);
    expect(Object.keys(items[0]!).sort()).toEqual(
      ["author", "content", "created_at", "language", "rating", "review_id", "title", "verified"].sort(),
    );
  });

  it("leaves out what staff has hidden, also from the figures", async () => {
    await db.execute(
      sql`update reviews set state = 'hidden' where product_id = ${shown.id} and content = 'Number 3'`,
    );
    const { summary, items, total } = await listed(shown.id, 1, 100);
    expect(summary).toEqual({ average: 4.3, count: 6, stars: [0, 0, 1, 2, 3] });
    expect([items.length, total]).toEqual([6, 6]);
    await db.execute(sql`update reviews set state = 'published' where product_id = ${shown.id}`);
  });

  it("is what the product's page shows and its markup says; without any, the markup says nothing", async () => {
    const markup = async (slug: string) => {
      const view = await findProductView({ slug, locale: "en" });
      const place = {
        origin: "https://shop.example",
        brand: "Shop",
        locale: "en",
        surface: "desktop",
      } as const;
      const { jsonLd } = productSeo(
        view!.product,
        place,
        { home: "Home", passName: () => "Pass", title: (name) => name },
        view!.reviews,
      );
      return JSON.parse(JSON.stringify(jsonLd[0]));
    };
    const group = await markup(shown.slug);
    expect(group.aggregateRating).toMatchObject({ ratingValue: 3.9, reviewCount: 7 });
    const { items } = await listed(shown.id);
    expect(group.review.map((review: { reviewBody: string }) => review.reviewBody)).toEqual(
      items.map(({ content }) => content),
    );
    const bare = await markup((await createProduct()).slug);
    expect(bare).not.toHaveProperty("aggregateRating");
    expect(bare).not.toHaveProperty("review");
  });
});
