import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { db } from "@/db/client";
import { type CreatedProduct, createProduct, createSinglePlan } from "@/db/factories/catalog";
import { createMerchant, createMerchantInvite, createSeller } from "@/db/factories/merchants";
import { createMailedKey, createOrder, type OrderInput } from "@/db/factories/orders";
import { setReviews } from "@/db/factories/reviews";
import { findProductView } from "@/lib/catalog/product/find-product-view";
import { productSeo } from "@/lib/catalog/seo";
import { getOrder } from "@/lib/orders/find-order";
import { revealKey } from "@/lib/orders/fulfilment/reveal-key";
import { ORDER_STATUSES } from "@/lib/orders/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { createReview } from "@/lib/reviews/create-review";
import { listReviews } from "@/lib/reviews/list-reviews";
import { hideUnfitReviews } from "@/lib/reviews/moderation/hide-unfit-reviews";
import { moderateReview, REVIEW_VERSION } from "@/lib/reviews/moderation/moderate-review";
import type { ReviewState } from "@/lib/reviews/rules";
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
/** An order of a pass whose codes were mailed. */
async function createSeenOrder(user: { id: string; email: string }, input: OrderInput, planId = getPlanId()) {
  const order = await createOrder(user, planId, input);
  for (let slot = 1; slot <= (input.quantity ?? 1); slot++) await createMailedKey(planId, order.lineId, slot);
  return order;
}
const listTestReviews = (productId = product.id, page = 1, size = 5) =>
  listReviews({ product_id: productId, page, size });
const countReviews = async () => (await listTestReviews()).total;

describe("writing a review", () => {
  it.each(ORDER_STATUSES)("is allowed for delivered orders only: %s", async (status) => {
    const author = await sale.createBuyer();
    const { id } = await createSeenOrder(author, { status });
    const before = await countReviews();
    const isDelivered = status === "shipped" || status === "completed";
    if (isDelivered) await expect(writeReview(author, id)).resolves.toHaveProperty("review_id");
    else await expect(writeReview(author, id)).rejects.toMatchObject({ error: "review_not_bought" });
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
    const author = await sale.createBuyer();
    const { id, lineId } = await createSeenOrder(author, { status: "completed", quantity: 2 });
    const setRefundedQuantity = (quantity: number) =>
      db.execute(sql`update order_lines set refunded_quantity = ${quantity} where id = ${lineId}`);
    await setRefundedQuantity(2);
    await expect(writeReview(author, id)).rejects.toMatchObject({ error: "review_not_bought" });
    await setRefundedQuantity(1);
    await expect(writeReview(author, id)).resolves.toHaveProperty("review_id");
  });

  it("is allowed once for each person and product, also for concurrent requests and other spellings of an address", async () => {
    const author = await sale.createBuyer({ email: "ann.lee@gmail.com" });
    const { id } = await createSeenOrder(author, { status: "completed" });
    const before = await countReviews();
    const attempts = await Promise.allSettled(Array.from({ length: 10 }, () => writeReview(author, id)));
    expect(attempts.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const attempt of attempts)
      if (attempt.status === "rejected") expect(attempt.reason).toMatchObject({ error: "review_exists" });
    expect(await countReviews()).toBe(before + 1);
    const second = await createSeenOrder(author, { status: "completed" });
    await expect(writeReview(author, second.id)).rejects.toMatchObject({ error: "review_exists" });
    const alias = await sale.createBuyer({ email: "annlee+2@googlemail.com" });
    const third = await createSeenOrder(alias, { status: "completed" });
    await expect(writeReview(alias, third.id)).rejects.toMatchObject({ error: "review_exists" });
    await db.execute(sql`update reviews set state = 'hidden' where user_id = ${author.id}`);
    await expect(writeReview(alias, third.id)).resolves.toHaveProperty("review_id");
  });

  it("requires a revealed code", async () => {
    const author = await sale.createBuyer();
    const plan = await createSinglePlan({ type: "month", keys: 1 });
    const orderId = await sale.sellWithChoice(author, plan.id, { immediate_delivery: false });
    const line = async () => (await getOrder(author.viewer, orderId, "en")).order_products[0]!;
    const { product_id, review, keys } = await line();
    expect(review).toBe("none");
    await expect(writeReview(author, orderId, { product_id })).rejects.toMatchObject({
      error: "review_code_unrevealed",
    });
    await revealKey(author.viewer, { library_id: keys[0]!.library_id });
    expect((await line()).review).toBe("open");
    await expect(writeReview(author, orderId, { product_id })).resolves.toHaveProperty("review_id");
  });

  it("is refused to the merchant's people, by account, invitation and email identity", async () => {
    const merchant = await createMerchant();
    const own = await createProduct({ merchantId: merchant.id });
    const member = await createSeller(merchant, { email: "sam.poe@gmail.com" });
    const alias = await sale.createBuyer({ email: "sampoe+x@gmail.com" });
    const invited = await sale.createBuyer();
    await createMerchantInvite(merchant, { email: invited.email });
    for (const author of [member, alias, invited]) {
      const { id } = await createSeenOrder(author, { status: "completed" }, own.plans[0]!.id);
      await expect(writeReview(author, id, { product_id: own.id })).rejects.toMatchObject({
        error: "review_own_product",
      });
    }
    const orders = await createSeenOrder(member, { status: "completed" }, own.plans[0]!.id);
    expect((await getOrder(member.viewer, orders.id, "en")).order_products[0]?.review).toBe("none");
  });
});

describe("a published review", () => {
  const publish = async () => {
    const author = await sale.createBuyer();
    const reviewed = await createProduct();
    const order = await createSeenOrder(author, { status: "completed" }, reviewed.plans[0]!.id);
    await createReview(author.viewer, { product_id: reviewed.id, order_id: order.id, ...REVIEW });
    const rating = async () => (await listTestReviews(reviewed.id)).summary.average;
    return { author, reviewed, order, rating };
  };
  const refund = (lineId: string, state: "refunded" | "assigned", units: number) =>
    db.execute(
      sql`update order_lines set state = ${state}, refunded_quantity = ${units} where id = ${lineId}`,
    );

  it("leaves page and rating with a full refund, and returns when the bank returns the refund", async () => {
    const { order, rating } = await publish();
    expect(await rating()).toBe(4);
    await refund(order.lineId, "refunded", 1);
    expect(await rating()).toBeNull();
    await refund(order.lineId, "assigned", 0);
    expect(await rating()).toBe(4);
  });

  it("is hidden at night when it breaks a newer rule", async () => {
    const joined = await publish();
    const unseen = await publish();
    const twice = await publish();
    const merchant = await createMerchant();
    await createSeller(merchant);
    await db.execute(
      sql`update reviews set merchant_id = ${merchant.id} where product_id = ${joined.reviewed.id}`,
    );
    await db.execute(sql`
      insert into merchant_members (id, merchant_id, user_id, role) values ('mem_joined', ${merchant.id}, ${joined.author.id}, 'member')`);
    await db.execute(sql`update keys set mailed_at = null where order_line_id = ${unseen.order.lineId}`);
    const second = await createSeenOrder(twice.author, { status: "completed" }, twice.reviewed.plans[0]!.id);
    await db.execute(sql`
      insert into reviews (id, product_id, order_id, user_id, rating, title, content, locale)
      values ('rev_second', ${twice.reviewed.id}, ${second.id}, ${twice.author.id}, 1, 'Again', 'Bad.', 'en')`);
    await db.execute(sql`update reviews set author_identity = null where product_id = ${twice.reviewed.id}`);
    await hideUnfitReviews();
    expect(await joined.rating()).toBeNull();
    expect(await unseen.rating()).toBeNull();
    expect(await twice.rating()).toBe(1);
    const reasons = await db.execute<{ reason: string }>(sql`
      select hidden_reason as reason from reviews where product_id in (${joined.reviewed.id}, ${unseen.reviewed.id}, ${twice.reviewed.id})
        and state = 'hidden' order by 1`);
    expect(reasons.map(({ reason }) => reason)).toEqual([
      "rule:code_unseen",
      "rule:duplicate",
      "rule:own_merchant",
    ]);
    expect(await hideUnfitReviews()).toBe(0);
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
      const { id } = await createSeenOrder(user, { status: "shipped" }, reviewed.plans[0]!.id);
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
    // A rating that includes demo reviews is left out.
    await db.execute(sql`update reviews set demo = true where product_id = ${reviewed.id} and rating = 5`);
    expect((await listTestReviews(reviewed.id)).summary.demo).toBeGreaterThan(0);
    const withDemoReviews = await getMarkup(reviewed.slug);
    expect(withDemoReviews).not.toHaveProperty("aggregateRating");
    expect(withDemoReviews).not.toHaveProperty("review");
  });
});

describe("a review that staff hide", () => {
  it("is removed from page, rating and structured data, and restored when it is shown again", async () => {
    const shown = await createProduct();
    await setReviews(shown.slug, [5, 1]);
    const getMarkup = async () => {
      const view = await findProductView({ slug: shown.slug, locale: "en" });
      const location = {
        origin: "https://shop.example",
        brand: "Shop",
        locale: "en",
        surface: "desktop",
      } as const;
      const labels = { home: "Home", passName: () => "Pass", title: (name: string) => name };
      return JSON.stringify(productSeo(view!.product, location, labels, view!.reviews).jsonLd);
    };
    const summary = async () => (await listTestReviews(shown.id)).summary;
    const [bad] = await db.execute<{ id: string; title: string }>(
      sql`select id, title from reviews where product_id = ${shown.id} and rating = 1`,
    );
    const moderate = async (state: ReviewState, reason?: string) => {
      const [seen] = await db.execute<{ version: string }>(
        sql`select ${REVIEW_VERSION} as version from reviews r where r.id = ${bad!.id}`,
      );
      return moderateReview(bad!.id, {
        state,
        staffId: "staff:test",
        version: seen!.version,
        ...(reason && { reason }),
      });
    };
    expect(await getMarkup()).toContain('"reviewCount":2');
    expect(await moderate("hidden", "insults")).toBe("done");
    expect(await summary()).toMatchObject({ average: 5, count: 1, stars: [0, 0, 0, 0, 1] });
    expect(await getMarkup()).toContain('"reviewCount":1');
    expect(await getMarkup()).not.toContain(bad!.title);
    expect(await moderate("hidden", "again")).toBe("already");
    expect(await moderate("published")).toBe("done");
    expect(await summary()).toMatchObject({ average: 3, count: 2 });
    const entries = await db.execute(
      sql`select actor, action, detail from audit_entries where subject = ${bad!.id} order by id`,
    );
    expect([...entries]).toEqual([
      { actor: "staff:test", action: "review_hidden", detail: { reason: "insults" } },
      { actor: "staff:test", action: "review_shown", detail: {} },
    ]);
  });
});
