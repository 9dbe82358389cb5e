import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { POST as addCart } from "@/app/api/v1/cart/add/route";
import { POST as reveal } from "@/app/api/v1/library/reveal/route";
import { GET as library } from "@/app/api/v1/library/route";
import { POST as create } from "@/app/api/v1/order/create/route";
import { GET as detail } from "@/app/api/v1/order/detail/route";
import { POST as freePayment } from "@/app/api/v1/order/free-payment/route";
import { POST as updateStatus } from "@/app/api/v1/order/update-status/route";
import { POST as confirm } from "@/app/api/v1/payment/sandbox/confirm/route";
import { POST as createIntent } from "@/app/api/v1/payment/stripe/create-payment-intent/route";
import { POST as webhook } from "@/app/api/v1/payment/stripe/webhook/route";
import { db } from "@/db/client";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import type { Handler } from "@/lib/platform/api/declaration";
import * as sale from "../setup/sale";
import { receiveSandboxEvents } from "../setup/stripe-faults";
import { call } from "./call";

vi.setConfig({ testTimeout: 60_000 });
let buyer: sale.Buyer;
beforeAll(async () => {
  receiveSandboxEvents(
    async (raw, signature) =>
      (await call(webhook, "/payment/stripe/webhook", { raw, headers: { "stripe-signature": signature } }))
        .status,
  );
  buyer = await sale.newBuyer();
});
afterAll(sale.endSale);

const ask = (
  handler: Handler,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
  query = "",
) => call(handler, path, { body, query, headers: { authorization: buyer.bearer, ...headers } });
const product = async (plan: PlanInput = {}) => {
  const made = await createProduct({ plans: [{ keys: 3, ...plan }] });
  return { product_id: made.id, vip_id: made.plans[0]!.id, codes: made.plans[0]!.keys };
};
const ordersOf = async (userId: string) =>
  (await db.execute<{ n: number }>(sql`select count(*)::int as n from orders where user_id = ${userId}`))[0]!
    .n;

describe("the sale over the API", () => {
  it("goes from the cart to the code, with amounts from the server and in decimals", async () => {
    const { codes, ...which } = await product({ priceCents: 499 });
    const added = await ask(addCart, "/cart/add", { ...which, quantity: 2 });
    expect(added.body).toMatchObject({
      code: "200",
      state: 0,
      success: true,
      data: { quantity: 2, total: 1 },
    });
    const placed = await ask(create, "/order/create", { cart_record_ids: [added.body.data.cart_id] });
    expect(placed.body.data).toMatchObject({ final_amount: 9.98 });
    const { order_id } = placed.body.data;

    const wrong = await ask(createIntent, "/payment/stripe/create-payment-intent", {
      order_id,
      amount: 0.01,
    });
    expect([wrong.status, wrong.body.code]).toEqual([409, "40904"]);
    const wish = { order_id, amount: 9.98, currency: "USD", product_name: "whatever" };
    const opened = await ask(createIntent, "/payment/stripe/create-payment-intent", wish);
    expect(opened.body.data).toMatchObject({ publishableKey: "", payment_mode: "sandbox" });
    const { client_secret } = opened.body.data;
    const again = await ask(createIntent, "/payment/stripe/create-payment-intent", { order_id });
    expect(again.body.data.client_secret).toBe(client_secret);
    const believed = await ask(updateStatus, "/order/update-status", { order_id, status: "paid" });
    expect([believed.status, believed.body.code]).toEqual([409, "40903"]);

    expect(
      (await ask(confirm, "/payment/sandbox/confirm", { client_secret, outcome: "succeeded" })).body.data,
    ).toEqual({ status: "succeeded" });
    await sale.eventsArrived();
    await sale.runQueue();
    const seen = await ask(detail, "/order/detail", undefined, {}, `order_id=${order_id}`);
    expect(seen.body.data).toMatchObject({
      status: "completed",
      final_amount: 9.98,
      seconds_left: 0,
      can_pay: false,
      can_cancel: false,
    });
    expect(seen.headers.get("cache-control")).toContain("no-store");
    const keys = seen.body.data.order_products[0].keys as { library_id: string }[];
    const mine = (await ask(library, "/library")).body.data.items as { library_id: string }[];
    expect(mine.map((item) => item.library_id)).toEqual(
      expect.arrayContaining(keys.map((key) => key.library_id)),
    );
    const shown = await Promise.all(
      keys.map(({ library_id }) => ask(reveal, "/library/reveal", { library_id })),
    );
    const revealed = shown.map((answer) => answer.body.data.code);
    expect(codes).toEqual(expect.arrayContaining(revealed));
    expect(new Set(revealed).size).toBe(2);
    expect(JSON.stringify([placed, seen.body, opened.body])).not.toContain(revealed[0]);
  });

  it("never takes a price from outside: unknown fields are refused", async () => {
    const { codes: _, ...which } = await product();
    for (const field of ["price", "total", "final_amount", "discount_amount", "status"]) {
      const added = await ask(addCart, "/cart/add", { ...which, [field]: 0 });
      expect([field, added.body.code]).toEqual([field, "40000"]);
      const placed = await ask(create, "/order/create", { [field]: 0 });
      expect([field, placed.body.code]).toEqual([field, "40000"]);
    }
  });

  it("completes what is free without payment, and nothing else", async () => {
    const free = await product({ priceCents: 0 });
    const line = await createCartLine(buyer.id, free.vip_id);
    const placed = await ask(create, "/order/create", { cart_record_ids: [line] });
    const { order_id } = placed.body.data;
    expect(placed.body.data.final_amount).toBe(0);
    const done = await ask(freePayment, "/order/free-payment", { order_id, final_amount: 0 });
    expect(done.body.data).toEqual({ order_id, status: "completed" });
    const priced = await sale.orderOf(buyer, (await product()).vip_id);
    const refused = await ask(freePayment, "/order/free-payment", { order_id: priced, final_amount: 0 });
    expect([refused.status, refused.body.code]).toEqual([422, "42205"]);
    expect(refused.body.message).toBe("Free payment can only be used for zero amount orders");
    const intent = await ask(createIntent, "/payment/stripe/create-payment-intent", { order_id });
    expect([intent.status, intent.body.code]).toEqual([409, "40909"]);
  });

  it.each([
    ["sold out", { keys: 0 }, "409"],
    ["above the limit", { keys: 9, purchaseLimit: 1 }, "40901"],
  ] as const)("answers %s with its own code", async (_, plan, code) => {
    const { codes: _codes, ...which } = await product(plan);
    const answer = await ask(addCart, "/cart/add", { ...which, quantity: 2 });
    expect([answer.status, answer.body.code, answer.body.success]).toEqual([409, code, false]);
  });
});

describe("pressing twice", () => {
  it("without a key makes one order of one cart, and the second is refused", async () => {
    const before = await ordersOf(buyer.id);
    const which = await product({ keys: 9 });
    const line = await createCartLine(buyer.id, which.vip_id);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => ask(create, "/order/create", { cart_record_ids: [line] })),
    );
    expect(answers.map((answer) => answer.body.code).sort()).toEqual([
      "200",
      "40405",
      "40405",
      "40405",
      "40405",
    ]);
    expect(await ordersOf(buyer.id)).toBe(before + 1);
    expect(await sale.keysOf(which.vip_id)).toEqual({ reserved: 1, available: 8 });
  });

  it("with an Idempotency-Key gives the same order to all, and another body is refused", async () => {
    const before = await ordersOf(buyer.id);
    const which = await product({ keys: 9 });
    const line = await createCartLine(buyer.id, which.vip_id);
    const key = { "idempotency-key": randomUUID() };
    const press = () => ask(create, "/order/create", { cart_record_ids: [line] }, key);
    const answers = await Promise.all(Array.from({ length: 5 }, press));
    expect(new Set(answers.map((answer) => answer.body.data?.order_id)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get("idempotent-replayed") === "true")).toHaveLength(4);
    expect((await press()).body.data).toEqual(answers[0]!.body.data);
    const other = await ask(create, "/order/create", { cart_record_ids: ["cart_other"] }, key);
    expect(other.body.code).toBe("40906");
    expect(await ordersOf(buyer.id)).toBe(before + 1);
    expect(await sale.keysOf(which.vip_id)).toEqual({ reserved: 1, available: 8 });
  });

  it("a refusal does not use the key up", async () => {
    const which = await product({ keys: 0 });
    const line = await createCartLine(buyer.id, which.vip_id);
    const press = () =>
      ask(
        create,
        "/order/create",
        { cart_record_ids: [line] },
        { "idempotency-key": `refused-${which.vip_id}` },
      );
    expect((await press()).body.code).toBe("409");
    await db.execute(
      sql`update plans set availability = 'pre_order', releases_at = shop_now() + interval '1 day' where id = ${which.vip_id}`,
    );
    expect((await press()).body.code).toBe("200");
  });

  it("never shows a code from a stored answer: revealing runs again", async () => {
    await sale.sell(buyer, (await product()).vip_id);
    const mine = (await ask(library, "/library")).body.data.items as { library_id: string }[];
    const key = { "idempotency-key": randomUUID() };
    const show = () => ask(reveal, "/library/reveal", { library_id: mine[0]!.library_id }, key);
    const [first, second] = [await show(), await show()];
    expect(second.body.data).toEqual(first.body.data);
    const [stored] = await db.execute<{ body: unknown }>(
      sql`select body from idempotency_keys where key = ${key["idempotency-key"]}`,
    );
    expect(stored?.body).toBeNull();
  });
});
