import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { type CreatedProduct, createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { findProductView } from "@/lib/catalog/queries";
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
  sale.receiveEventsInProcess();
  product = await createProduct();
  buyer = await sale.createBuyer({ username: "Mia Long" });
});
afterAll(sale.closeSale);

const REVIEW = { title: "Good", content: "It works.", rating: 4 };
const getPlanId = () => product.plans[0]!.id;
const writeReview = (user: sale.Buyer, orderId: string, fields: object = {}) =>
  createReview(user.viewer, { product_id: product.id, order_id: orderId, ...REVIEW, ...fields });
const listTestReviews = (productId = product.id, page = 1, size = 5) =>
  listReviews({ product_id: productId, page, size });
const countReviews = async () => (await listTestReviews()).total;

describe("writing a review", () => {
  it.each(ORDER_STATUSES)("is allowed for delivered orders only: %s", async (status) => {
    const { id } = await createOrder(buyer, getPlanId(), { status });
    const before = await countReviews();
    const isDelivered = status === "shipped" || status === "completed";
    if (isDelivered) await expect(writeReview(buyer, id)).resolves.toHaveProperty("review_id");
    else await expect(writeReview(buyer, id)).rejects.toMatchObject({ error: "review_not_bought" });
    expect(await countReviews()).toBe(before + (isDelivered ? 1 : 0));
  });

  it("responds to other users', hidden and missing orders with the same error", async () => {
    const { id } = await createOrder(buyer, getPlanId(), { status: "completed" });
    const otherUser = await sale.createBuyer();
    await expect(writeReview(otherUser, id)).rejects.toMatchObject({ error: "order_unknown" });
    await expect(writeReview(otherUser, "ord_none")).rejects.toMatchObject({ error: "order_unknown" });
    await db.execute(sql`update orders set hidden_at = shop_now() where id = ${id}`);
    await expect(writeReview(buyer, id)).rejects.toMatchObject({ error: "order_unknown" });
  });

  it("is rejected for a product that is not in the order, and for an unknown one", async () => {
    const other = await createProduct();
    const { id } = await createOrder(buyer, getPlanId(), { status: "completed" });
    for (const product_id of [other.id, 2_000_000_000])
      await expect(writeReview(buyer, id, { product_id })).rejects.toMatchObject({
        error: "review_not_bought",
      });
    expect((await listTestReviews(other.id)).total).toBe(0);
  });

  it("is rejected after a full refund, and allowed after a partial one", async () => {
    const { id, lineId } = await createOrder(buyer, getPlanId(), { status: "completed", quantity: 2 });
    const setRefundedQuantity = (quantity: number) =>
      db.execute(sql`update order_lines set refunded_quantity = ${quantity} where id = ${lineId}`);
    await setRefundedQuantity(2);
    await expect(writeReview(buyer, id)).rejects.toMatchObject({ error: "review_not_bought" });
    await setRefundedQuantity(1);
    await expect(writeReview(buyer, id)).resolves.toHaveProperty("review_id");
  });

  it("is allowed once for each order and product, also for concurrent requests", async () => {
    const { id } = await createOrder(buyer, getPlanId(), { status: "completed" });
    const before = await countReviews();
    const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => writeReview(buyer, id)));
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const attempt of attempts)
      if (attempt.status === "rejected") expect(attempt.reason).toMatchObject({ error: "review_exists" });
    expect(await countReviews()).toBe(before + 1);
    const second = await createOrder(buyer, getPlanId(), { status: "completed" });
    await expect(writeReview(buyer, second.id)).resolves.toHaveProperty("review_id");
  });
});

describe("the review state of an order line", () => {
  it("is open for a delivered pass, then written", async () => {
    const reviewable = await createProduct({ plans: [{ keys: 1 }] });
    const orderId = await sale.sell(buyer, reviewable.plans[0]!.id);
    const state = async () => (await getOrder(buyer.viewer, orderId, "en")).order_products[0]?.review;
    expect(await state()).toBe("open");
    await createReview(buyer.viewer, { product_id: reviewable.id, order_id: orderId, ...REVIEW });
    expect(await state()).toBe("written");
    const unpaidOrder = await sale.orderPlan(buyer, (await createSinglePlan()).id);
    const [line] = (await getOrder(buyer.viewer, unpaidOrder, "en")).order_products;
    expect(line?.review).toBe("none");
  });
});

describe("the list of reviews", () => {
  const RATINGS = [5, 4, 4, 1, 5, 3, 5];
  let reviewed: CreatedProduct;
  beforeAll(async () => {
    reviewed = await createProduct();
    for (const [i, rating] of RATINGS.entries()) {
      const locale: Locale = i === 0 ? "ja" : "en";
      const user = await sale.createBuyer({ username: i === 0 ? "さくら" : `👩‍🚀${i} Ada`, locale });
      const { id } = await createOrder(user, reviewed.plans[0]!.id, { status: "shipped" });
      const content = i === 0 ? "便利です" : `Number ${i}`;
      await createReview(user.viewer, {
        product_id: reviewed.id,
        order_id: id,
        title: "Word",
        content,
        rating,
      });
    }
  });

  it("has a summary of all reviews, and pages with the newest first", async () => {
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map((page) => listTestReviews(reviewed.id, page)),
    );
    expect(first?.summary).toEqual({ average: 3.9, count: 7, stars: [1, 0, 1, 2, 3], demo: 0 });
    expect(first?.items.map(({ content }) => content)).toEqual(
      [6, 5, 4, 3, 2].map((number) => `Number ${number}`),
    );
    expect(second?.items.map(({ content }) => content)).toEqual(["Number 1", "便利です"]);
    expect(second?.total).toBe(7);
    expect(third?.items).toEqual([]);
  });

  it("shows the first letter of the author's name only", async () => {
    const { items } = await listTestReviews(reviewed.id, 1, 100);
    expect(items.map(({ author }) => author)).toEqual([...Array(6).fill("👩‍🚀***"), "さ***"]);
    expect(items.at(-1)).toMatchObject({ language: "ja", verified: true, rating: 5 });
    expect(JSON.stringify(items)).not.toMatch(/@|usr_|ord_/);
    expect(Object.keys(items[0]!).sort()).toEqual(
      [
        "author",
        "content",
        "created_at",
        "demo",
        "language",
        "rating",
        "reply",
        "review_id",
        "title",
        "verified",
      ].sort(),
    );
  });

  it("leaves hidden reviews out of list and summary", async () => {
    await db.execute(
      sql`update reviews set state = 'hidden' where product_id = ${reviewed.id} and content = 'Number 3'`,
    );
    const { summary, items, total } = await listTestReviews(reviewed.id, 1, 100);
    expect(summary).toEqual({ average: 4.3, count: 6, stars: [0, 0, 1, 2, 3], demo: 0 });
    expect([items.length, total]).toEqual([6, 6]);
    await db.execute(sql`update reviews set state = 'published' where product_id = ${reviewed.id}`);
  });

  it("is part of the product's structured data, which has no rating without reviews", async () => {
    const getMarkup = async (slug: string) => {
      const view = await findProductView({ slug, locale: "en" });
      const location = {
        origin: "https://shop.example",
        brand: "Shop",
        locale: "en",
        surface: "desktop",
      } as const;
      const { jsonLd } = productSeo(
        view!.product,
        location,
        { home: "Home", passName: () => "Pass", title: (name) => name },
        view!.reviews,
      );
      return JSON.parse(JSON.stringify(jsonLd[0]));
    };
    const group = await getMarkup(reviewed.slug);
    expect(group.aggregateRating).toMatchObject({ ratingValue: 3.9, reviewCount: 7 });
    const { items } = await listTestReviews(reviewed.id);
    expect(group.review.map((review: { reviewBody: string }) => review.reviewBody)).toEqual(
      items.map(({ content }) => content),
    );
    const withoutReviews = await getMarkup((await createProduct()).slug);
    expect(withoutReviews).not.toHaveProperty("aggregateRating");
    expect(withoutReviews).not.toHaveProperty("review");
    // A rating that demo reviews are part of is none.
    await db.execute(sql`update reviews set demo = true where product_id = ${reviewed.id} and rating = 5`);
    expect((await listTestReviews(reviewed.id)).summary.demo).toBeGreaterThan(0);
    const withDemoReviews = await getMarkup(reviewed.slug);
    expect(withDemoReviews).not.toHaveProperty("aggregateRating");
    expect(withDemoReviews).not.toHaveProperty("review");
  });
});
