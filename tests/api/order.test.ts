import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
import { client, db } from "@/db/client";
import { createProduct, type PlanInput } from "@/db/factories/catalog";
import { createCartLine } from "@/db/factories/orders";
import type { Handler } from "@/lib/platform/api/declaration";
import { landingCookie } from "@/lib/platform/http/landing-cookie";
import * as sale from "../setup/sale";
import { receiveSandboxEvents } from "../setup/stripe-faults";
import { call } from "./call";

let buyer: sale.Buyer;
beforeAll(async () => {
  receiveSandboxEvents(
    async (raw, signature) =>
      (await call(webhook, "/payment/stripe/webhook", { raw, headers: { "stripe-signature": signature } }))
        .status,
  );
  buyer = await sale.createBuyer();
});
afterAll(sale.closeSale);

const callAsBuyer = (
  handler: Handler,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
  query = "",
) => call(handler, path, { body, query, headers: { authorization: buyer.bearer, ...headers } });
const createPlan = async (plan: PlanInput = {}) => {
  const made = await createProduct({ plans: [{ keys: 3, ...plan }] });
  return { product_id: made.id, vip_id: made.plans[0]!.id, codes: made.plans[0]!.keys };
};
const countOrders = async (userId: string) =>
  (await db.execute<{ n: number }>(sql`select count(*)::int as n from orders where user_id = ${userId}`))[0]!
    .n;

describe("the device cookie", () => {
  it("is set with the first order, is HttpOnly, and limits further orders of the browser", async () => {
    const { vip_id } = await createPlan({ keys: 200 });
    const orderFrom = async (cookie?: string) => {
      const user = await sale.createBuyer({ verified: false });
      const line = await createCartLine(user.id, vip_id, { quantity: 10 });
      return call(create, "/order/create", {
        body: { cart_record_ids: [line] },
        headers: { authorization: user.bearer, ...(cookie && { cookie }) },
      });
    };
    const first = await orderFrom();
    const [line] = first.headers.getSetCookie();
    expect(line).toMatch(/^device_id=[\w-]{24}; Max-Age=604800; Path=\/api\/v1; HttpOnly; SameSite=Lax$/);
    const cookie = line!.split(";", 1)[0]!;
    const second = await orderFrom(cookie);
    expect([second.status, second.headers.getSetCookie()]).toEqual([200, []]);
    const third = await orderFrom(cookie);
    expect([third.status, third.body.code, third.body.message]).toEqual([
      429,
      "429",
      expect.stringContaining("30 minutes"),
    ]);
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(1700);
    expect((await orderFrom("device_id=<forged>")).headers.getSetCookie()).toHaveLength(1);
  });
});

describe("the attribution of an order", () => {
  const place = async (body: object, cookie?: string) => {
    const { vip_id } = await createPlan({ keys: 2 });
    const user = await sale.createBuyer();
    const line = await createCartLine(user.id, vip_id);
    const placed = await call(create, "/order/create", {
      body: { cart_record_ids: [line], ...body },
      headers: { authorization: user.bearer, ...(cookie && { cookie }) },
    });
    const [row] = await client()<{ attribution: object | null }[]>`
      select attribution from orders where id = ${placed.body.data.order_id}`;
    return row!.attribution;
  };
  const landed = landingCookie({
    pathname: "/login",
    search: "?utm_source=news&utm_campaign=autumn%20sale",
    signals: { gpc: null, dnt: null },
    secure: false,
  })!.split(";", 1)[0]!;

  it("comes from the call, else from the landing cookie", async () => {
    expect(await place({ source: "mail", campaign: "spring" }, landed)).toEqual({
      source: "mail",
      campaign: "spring",
    });
    expect(await place({}, landed)).toEqual({ source: "news", campaign: "autumn sale" });
    expect(await place({}, "attribution=%E0%A4%A")).toBeNull();
    expect(await place({})).toBeNull();
  });
});

describe("purchase over the API", () => {
  it("goes from the cart to the code, with decimal amounts from the server", async () => {
    const { codes, ...ids } = await createPlan({ priceCents: 499 });
    const added = await callAsBuyer(addCart, "/cart/add", { ...ids, quantity: 2 });
    expect(added.body).toMatchObject({
      code: "200",
      state: 0,
      success: true,
      data: { quantity: 2, total: 1 },
    });
    const placed = await callAsBuyer(create, "/order/create", { cart_record_ids: [added.body.data.cart_id] });
    expect(placed.body.data).toMatchObject({ final_amount: 9.98 });
    const { order_id } = placed.body.data;

    const wrong = await callAsBuyer(createIntent, "/payment/stripe/create-payment-intent", {
      order_id,
      amount: 0.01,
    });
    expect([wrong.status, wrong.body.code]).toEqual([409, "40904"]);
    const intentBody = { order_id, amount: 9.98, currency: "USD", product_name: "whatever" };
    const opened = await callAsBuyer(createIntent, "/payment/stripe/create-payment-intent", intentBody);
    expect(opened.body.data).toMatchObject({ publishableKey: "", payment_mode: "sandbox" });
    const { client_secret } = opened.body.data;
    const repeated = await callAsBuyer(createIntent, "/payment/stripe/create-payment-intent", { order_id });
    expect(repeated.body.data.client_secret).toBe(client_secret);
    const statusUpdate = await callAsBuyer(updateStatus, "/order/update-status", {
      order_id,
      status: "paid",
    });
    expect([statusUpdate.status, statusUpdate.body.code]).toEqual([409, "40903"]);

    expect(
      (await callAsBuyer(confirm, "/payment/sandbox/confirm", { client_secret, outcome: "succeeded" })).body
        .data,
    ).toMatchObject({ status: "succeeded" });
    await sale.waitForEvents();
    await sale.runQueue();
    const order = await callAsBuyer(detail, "/order/detail", undefined, {}, `order_id=${order_id}`);
    expect(order.body.data).toMatchObject({
      status: "completed",
      final_amount: 9.98,
      seconds_left: 0,
      can_pay: false,
      can_cancel: false,
    });
    expect(order.headers.get("cache-control")).toContain("no-store");
    const keys = order.body.data.order_products[0].keys as { library_id: string }[];
    const libraryItems = (await callAsBuyer(library, "/library")).body.data.items as { library_id: string }[];
    expect(libraryItems.map((item) => item.library_id)).toEqual(
      expect.arrayContaining(keys.map((key) => key.library_id)),
    );
    const reveals = await Promise.all(
      keys.map(({ library_id }) => callAsBuyer(reveal, "/library/reveal", { library_id })),
    );
    const revealed = reveals.map((response) => response.body.data.code);
    expect(codes).toEqual(expect.arrayContaining(revealed));
    expect(new Set(revealed).size).toBe(2);
    expect(JSON.stringify([placed, order.body, opened.body])).not.toContain(revealed[0]);
  });

  it("rejects prices and other unknown fields in the request", async () => {
    const { codes: _, ...ids } = await createPlan();
    for (const field of ["price", "total", "final_amount", "discount_amount", "status"]) {
      const added = await callAsBuyer(addCart, "/cart/add", { ...ids, [field]: 0 });
      expect([field, added.body.code]).toEqual([field, "40000"]);
      const placed = await callAsBuyer(create, "/order/create", { [field]: 0 });
      expect([field, placed.body.code]).toEqual([field, "40000"]);
    }
  });

  it("completes only a free order without payment", async () => {
    const free = await createPlan({ priceCents: 0 });
    const line = await createCartLine(buyer.id, free.vip_id);
    const placed = await callAsBuyer(create, "/order/create", { cart_record_ids: [line] });
    const { order_id } = placed.body.data;
    expect(placed.body.data.final_amount).toBe(0);
    const completed = await callAsBuyer(freePayment, "/order/free-payment", { order_id, final_amount: 0 });
    expect(completed.body.data).toEqual({ order_id, status: "completed" });
    const priced = await sale.orderPlan(buyer, (await createPlan()).vip_id);
    const rejected = await callAsBuyer(freePayment, "/order/free-payment", {
      order_id: priced,
      final_amount: 0,
    });
    expect([rejected.status, rejected.body.code]).toEqual([422, "42205"]);
    expect(rejected.body.message).toBe("Free payment can only be used for zero amount orders");
    const intent = await callAsBuyer(createIntent, "/payment/stripe/create-payment-intent", { order_id });
    expect([intent.status, intent.body.code]).toEqual([409, "40909"]);
  });

  it.each([
    ["sold out", { keys: 0 }, "409"],
    ["over the purchase limit", { keys: 9, purchaseLimit: 1 }, "40901"],
  ] as const)("rejects a plan that is %s with its own code", async (_, plan, code) => {
    const { codes: _codes, ...ids } = await createPlan(plan);
    const response = await callAsBuyer(addCart, "/cart/add", { ...ids, quantity: 2 });
    expect([response.status, response.body.code, response.body.success]).toEqual([409, code, false]);
  });
});

describe("repeated requests", () => {
  it("without an Idempotency-Key place one order of one cart and reject the others", async () => {
    const before = await countOrders(buyer.id);
    const ids = await createPlan({ keys: 9 });
    const line = await createCartLine(buyer.id, ids.vip_id);
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => callAsBuyer(create, "/order/create", { cart_record_ids: [line] })),
    );
    expect(responses.map((response) => response.body.code).sort()).toEqual([
      "200",
      "40405",
      "40405",
      "40405",
      "40405",
    ]);
    expect(await countOrders(buyer.id)).toBe(before + 1);
    expect(await sale.countKeysByState(ids.vip_id)).toEqual({ reserved: 1, available: 8 });
  });

  it("with an Idempotency-Key return the same order, and another body is rejected", async () => {
    const before = await countOrders(buyer.id);
    const ids = await createPlan({ keys: 9 });
    const line = await createCartLine(buyer.id, ids.vip_id);
    const key = { "idempotency-key": randomUUID() };
    const placeOrder = () => callAsBuyer(create, "/order/create", { cart_record_ids: [line] }, key);
    const responses = await Promise.all(Array.from({ length: 5 }, placeOrder));
    expect(new Set(responses.map((response) => response.body.data?.order_id)).size).toBe(1);
    expect(
      responses.filter((response) => response.headers.get("idempotent-replayed") === "true"),
    ).toHaveLength(4);
    expect((await placeOrder()).body.data).toEqual(responses[0]!.body.data);
    const other = await callAsBuyer(create, "/order/create", { cart_record_ids: ["cart_other"] }, key);
    expect(other.body.code).toBe("40906");
    expect(await countOrders(buyer.id)).toBe(before + 1);
    expect(await sale.countKeysByState(ids.vip_id)).toEqual({ reserved: 1, available: 8 });
  });

  it("can reuse the Idempotency-Key after a rejection", async () => {
    const ids = await createPlan({ keys: 0 });
    const line = await createCartLine(buyer.id, ids.vip_id);
    const placeOrder = () =>
      callAsBuyer(
        create,
        "/order/create",
        { cart_record_ids: [line] },
        { "idempotency-key": `refused-${ids.vip_id}` },
      );
    expect((await placeOrder()).body.code).toBe("409");
    await db.execute(
      sql`update plans set availability = 'pre_order', releases_at = shop_now() + interval '1 day' where id = ${ids.vip_id}`,
    );
    expect((await placeOrder()).body.code).toBe("200");
  });

  it("reveal a code again without storing it in the response", async () => {
    await sale.sell(buyer, (await createPlan()).vip_id);
    const libraryItems = (await callAsBuyer(library, "/library")).body.data.items as { library_id: string }[];
    const key = { "idempotency-key": randomUUID() };
    const revealKey = () =>
      callAsBuyer(reveal, "/library/reveal", { library_id: libraryItems[0]!.library_id }, key);
    const [first, second] = [await revealKey(), await revealKey()];
    expect(second.body.data).toEqual(first.body.data);
    const [stored] = await db.execute<{ body: unknown }>(
      sql`select body from idempotency_keys where key = ${key["idempotency-key"]}`,
    );
    expect(stored?.body).toBeNull();
  });
});
