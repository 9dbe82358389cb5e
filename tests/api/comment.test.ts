import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as create } from "@/app/api/v1/comment/create/route";
import { GET as list } from "@/app/api/v1/comment/list/route";
import { db } from "@/db/client";
import { type CreatedProduct, createProduct } from "@/db/factories/catalog";
import { createMailedKey, createOrder } from "@/db/factories/orders";
import { ReviewList } from "@/lib/reviews/contract";
import * as sale from "../setup/sale";
import { call } from "./call";

let buyer: sale.Buyer;
let product: CreatedProduct;
beforeAll(async () => {
  buyer = await sale.createBuyer();
  product = await createProduct();
});
afterAll(sale.closeSale);

const createDeliveredOrder = async (user = buyer, seen = true) => {
  const planId = product.plans[0]!.id;
  const { id, lineId } = await createOrder(user, planId, { status: "completed" });
  if (seen) await createMailedKey(planId, lineId);
  return id;
};
const createReview = (body: object, who?: sale.Buyer, headers: Record<string, string> = {}) =>
  call(create, "/comment/create", {
    body,
    headers: { ...(who && { authorization: who.bearer }), ...headers },
  });
const reviewBody = (order_id: string, overrides: object = {}) => ({
  product_id: product.id,
  order_id,
  rating: 4,
  title: "Good",
  content: "It works.",
  ...overrides,
});
const listReviews = async (query = "") => {
  const response = await call(list, "/comment/list", { query: `product_id=${product.id}&${query}` });
  return ReviewList.parse(response.body.data);
};

describe("POST /comment/create", () => {
  it("rejects a guest with 401", async () => {
    const { status, body } = await createReview(reviewBody("ord_x"));
    expect([status, body.code]).toEqual([401, "401"]);
  });

  it.each([
    ["en", "Please select a rating", "Please add a title for your review", "Please share your experience"],
    ["zh", "请选择评分", "请为您的评价添加标题", "请分享您的使用体验"],
    ["ja", "評価を選択してください", "レビューのタイトルを入力してください", "ご感想を入力してください"],
  ])("names in %s each missing field", async (language, ...messages) => {
    const { status, body } = await createReview({ product_id: 1, order_id: "ord_x", title: " " }, buyer, {
      "accept-language": language,
    });
    expect([status, body.code]).toEqual([400, "40000"]);
    expect(body.errors).toEqual(
      ["rating", "title", "content"].map((path, i) => ({ path, message: messages[i] })),
    );
    expect(body.message).toBe(messages[0]);
  });

  it("publishes plain text once; the same Idempotency-Key returns the same review", async () => {
    const id = await createDeliveredOrder();
    const text = reviewBody(id, { title: "<b>Fine</b>\n", content: "One\r\n\u0007two <script>1</script>" });
    const key = { "idempotency-key": "review-once-0001" };
    const first = await createReview(text, buyer, key);
    expect([first.status, first.body.code]).toEqual([200, "200"]);
    expect((await createReview(text, buyer, key)).body.data).toEqual(first.body.data);
    const again = await createReview(text, buyer);
    expect([again.status, again.body.code]).toEqual([409, "40915"]);
    const { items, total } = await listReviews();
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({
      review_id: first.body.data.review_id,
      title: "<b>Fine</b>",
      content: "One\ntwo <script>1</script>",
      language: "en",
    });
  });

  it("responds to another user's order as to a missing one, and 40302 to a product that was not bought", async () => {
    const id = await createDeliveredOrder();
    const otherBuyer = await sale.createBuyer();
    const foreign = await createReview(reviewBody(id), otherBuyer);
    const missing = await createReview(reviewBody("ord_missing"), otherBuyer);
    expect([foreign.status, foreign.body.code]).toEqual([404, "40402"]);
    expect(foreign.body).toEqual(missing.body);
    const other = await createReview(reviewBody(id, { product_id: product.id + 1 }), buyer);
    expect([other.status, other.body.code]).toEqual([403, "40302"]);
  });

  it("rejects long text and malformed ids as invalid input", async () => {
    const id = await createDeliveredOrder();
    const invalid = [
      { title: "t".repeat(121) },
      { content: "c".repeat(4001) },
      { content: "c".repeat(30_000) },
      { product_id: 0 },
      { product_id: 2 ** 31 },
      { product_id: "x" },
      { order_id: "" },
      { order_id: "x".repeat(65) },
      { content: "a\u0000b" },
      { stars: 5 },
    ];
    for (const overrides of invalid) {
      const { status, body } = await createReview(reviewBody(id, overrides), buyer);
      expect([overrides, status, body.code]).toEqual([overrides, 400, "40000"]);
    }
    const huge = await createReview(reviewBody(id, { content: "c".repeat(70_000) }), buyer);
    expect(huge.status).toBe(413);
  });

  it("rejects a pass whose code was never seen, and a member of the merchant, with 40302", async () => {
    const author = await sale.createBuyer();
    const unseen = await createReview(reviewBody(await createDeliveredOrder(author, false)), author, {
      "accept-language": "en",
    });
    expect([unseen.status, unseen.body.code]).toEqual([403, "40302"]);
    expect(unseen.body.message).toContain("Look at your code first");
    const [row] = await db.execute<{ merchant: string }>(
      sql`select merchant_id as merchant from products where id = ${product.id}`,
    );
    await db.execute(sql`
      insert into merchant_members (id, merchant_id, user_id, role) values ('mem_author', ${row!.merchant}, ${author.id}, 'owner')`);
    const own = await createReview(reviewBody(await createDeliveredOrder(author)), author);
    expect([own.status, own.body.code]).toEqual([403, "40302"]);
    expect(own.body.message).toContain("You belong to the merchant");
  });

  it("allows 20 calls an hour", async () => {
    const frequentBuyer = await sale.createBuyer();
    const codes: string[] = [];
    for (let i = 0; i < 21; i++)
      codes.push((await createReview(reviewBody("ord_none"), frequentBuyer)).body.code);
    expect(codes.slice(0, 20)).toEqual(Array(20).fill("40402"));
    expect(codes[20]).toBe("429");
  });
});

describe("GET /comment/list", () => {
  it("returns pages to guests with the summary of all reviews", async () => {
    for (const rating of [5, 1]) {
      const author = await sale.createBuyer();
      await createReview(reviewBody(await createDeliveredOrder(author), { rating }), author);
    }
    const { items, total, summary } = await listReviews("page=2&size=2");
    expect([items.length, total]).toEqual([1, 3]);
    expect(summary).toEqual({ average: 3.3, count: 3, stars: [1, 0, 0, 1, 1], demo: 0 });
  });

  it("returns an empty summary for a product without reviews", async () => {
    const { body } = await call(list, "/comment/list", { query: "product_id=2000000000" });
    expect(body.data).toEqual({
      items: [],
      total: 0,
      summary: { average: null, count: 0, stars: [0, 0, 0, 0, 0], demo: 0 },
    });
  });

  it.each(["", "product_id=x", "product_id=1&size=0", "product_id=1&size=101", "product_id=1&page=0"])(
    "rejects %j",
    async (query) => {
      const { status, body } = await call(list, "/comment/list", { query });
      expect([status, body.code]).toEqual([400, "40000"]);
    },
  );
});
