import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { POST as addCart } from "@/app/api/v1/cart/add/route";
import { POST as autoAdd } from "@/app/api/v1/cart/auto-add/route";
import { POST as deleteCart } from "@/app/api/v1/cart/delete/route";
import { GET as listCart } from "@/app/api/v1/cart/list/route";
import { POST as settleCart } from "@/app/api/v1/cart/settle/route";
import { POST as updateCart } from "@/app/api/v1/cart/update/route";
import { POST as reveal } from "@/app/api/v1/library/reveal/route";
import { GET as library } from "@/app/api/v1/library/route";
import { POST as cancel } from "@/app/api/v1/order/cancel/route";
import { POST as create } from "@/app/api/v1/order/create/route";
import { POST as remove } from "@/app/api/v1/order/delete/route";
import { GET as detail } from "@/app/api/v1/order/detail/route";
import { POST as freePayment } from "@/app/api/v1/order/free-payment/route";
import { GET as list } from "@/app/api/v1/order/list/route";
import { GET as listUser } from "@/app/api/v1/order/list/user/route";
import { POST as updateEmail } from "@/app/api/v1/order/update/email/route";
import { POST as updateStatus } from "@/app/api/v1/order/update-status/route";
import { POST as confirm } from "@/app/api/v1/payment/sandbox/confirm/route";
import { POST as createIntent } from "@/app/api/v1/payment/stripe/create-payment-intent/route";
import { db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { createCartLine, createOrder } from "@/db/factories/orders";
import type { Handler } from "@/lib/platform/api/declaration";
import * as sale from "../setup/sale";
import { type CallOptions, call } from "./call";

/** Every call of a purchase: its input by record id, and its code for a missing record (default: success). */
type Row = {
  name: string;
  handler: Handler;
  missingCode?: string;
  withId?: (id: string) => CallOptions;
  options?: CallOptions;
};
const withBody = (fields: object): CallOptions => ({ body: fields });
const withOrder =
  (withUserId: object = {}) =>
  (order_id: string) =>
    withBody({ order_id, ...withUserId });
const withCart =
  (withUserId: object = {}) =>
  (cart_id: string) =>
    withBody({ cart_id, ...withUserId });
const ROWS: Row[] = [
  { name: "cart/list", handler: listCart, options: {} },
  { name: "cart/add", handler: addCart, options: withBody({ product_id: 1, vip_id: 1 }) },
  { name: "cart/auto-add", handler: autoAdd, options: withBody({ product_id: 1 }) },
  { name: "cart/update", handler: updateCart, missingCode: "40405", withId: withCart({ quantity: 2 }) },
  { name: "cart/delete", handler: deleteCart, withId: withCart() },
  {
    name: "cart/settle",
    handler: settleCart,
    missingCode: "40405",
    withId: (id) => withBody({ cart_ids: [id] }),
  },
  {
    name: "order/create",
    handler: create,
    missingCode: "40405",
    withId: (id) => withBody({ cart_record_ids: [id] }),
  },
  { name: "order/list", handler: list, options: {} },
  { name: "order/list/user", handler: listUser, options: {} },
  {
    name: "order/detail",
    handler: detail,
    missingCode: "40402",
    withId: (id) => ({ query: `order_id=${id}` }),
  },
  { name: "order/cancel", handler: cancel, missingCode: "40402", withId: withOrder() },
  { name: "order/delete", handler: remove, missingCode: "40402", withId: withOrder() },
  { name: "order/free-payment", handler: freePayment, missingCode: "40402", withId: withOrder() },
  {
    name: "order/update-status",
    handler: updateStatus,
    missingCode: "40402",
    withId: withOrder({ status: "paid" }),
  },
  {
    name: "order/update/email",
    handler: updateEmail,
    missingCode: "40402",
    withId: withOrder({ send_email: "elsewhere@example.com" }),
  },
  {
    name: "payment/stripe/create-payment-intent",
    handler: createIntent,
    missingCode: "40402",
    withId: withOrder(),
  },
  {
    name: "payment/sandbox/confirm",
    handler: confirm,
    missingCode: "40402",
    withId: (client_secret) => withBody({ client_secret, outcome: "succeeded" }),
  },
  { name: "library", handler: library, options: {} },
  {
    name: "library/reveal",
    handler: reveal,
    missingCode: "40407",
    withId: (id) => withBody({ library_id: id }),
  },
];

let owner: sale.Buyer;
let otherBuyer: sale.Buyer;
let ids: { cart: string; order: string; secret: string; key: string };
beforeAll(async () => {
  sale.receiveEventsInProcess();
  [owner, otherBuyer] = await Promise.all([sale.createBuyer(), sale.createBuyer()]);
  const planId = (await createProduct({ plans: [{ keys: 9 }] })).plans[0]!.id;
  await sale.sell(owner, planId);
  const [key] = await db.execute<{ id: string }>(sql`select id from keys where state = 'assigned'`);
  const openOrder = await sale.orderPlan(owner, planId);
  const { clientSecret } = await sale.openPayment(owner, openOrder);
  const line = await createCartLine(owner.id, planId);
  ids = { cart: line, order: openOrder, secret: clientSecret, key: key!.id };
});
afterAll(sale.closeSale);

const idFor = ({ name }: Row) =>
  name.startsWith("cart") || name === "order/create"
    ? ids.cart
    : name === "library/reveal"
      ? ids.key
      : name === "payment/sandbox/confirm"
        ? ids.secret
        : ids.order;
const buildOptions = (row: Row, id: string, caller?: sale.Buyer): CallOptions => ({
  ...(row.withId ? row.withId(id) : row.options),
  headers: caller ? { authorization: caller.bearer } : {},
});
const snapshot = async () => {
  const [row] = await db.execute(sql`select
    (select jsonb_agg(to_jsonb(o) order by id) from orders o) as orders,
    (select jsonb_agg(to_jsonb(k) - 'sealed' order by id) from keys k) as keys,
    (select jsonb_agg(to_jsonb(c) order by id) from cart_lines c) as lines,
    (select jsonb_agg(to_jsonb(p) order by id) from payments p) as payments,
    (select jsonb_agg(to_jsonb(i) order by id) from sandbox_intents i) as intents`);
  return JSON.stringify(row);
};

describe("calls of a purchase", () => {
  it.each(ROWS)("$name: rejects a guest with 401 and changes nothing", async (row) => {
    const before = await snapshot();
    const response = await call(row.handler, `/${row.name}`, buildOptions(row, idFor(row)));
    expect([response.status, response.body.code]).toEqual([401, "401"]);
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(await snapshot()).toBe(before);
  });

  it.each(ROWS.filter((row) => row.withId))(
    "$name: responds to another user's record as to a missing one",
    async (row) => {
      const before = await snapshot();
      const foreign = await call(row.handler, `/${row.name}`, buildOptions(row, idFor(row), otherBuyer));
      const missing = await call(
        row.handler,
        `/${row.name}`,
        buildOptions(row, `${idFor(row)}x`, otherBuyer),
      );
      expect(foreign.status).toBe(missing.status);
      expect(foreign.body).toEqual(missing.body);
      expect(foreign.body.code).toBe(row.missingCode ?? "200");
      expect(JSON.stringify(foreign.body)).not.toContain(owner.email);
      expect(await snapshot()).toBe(before);
    },
  );

  it.each(ROWS.filter((row) => row.withId))("$name: rejects a malformed id as invalid input", async (row) => {
    for (const id of ["", "x".repeat(300)]) {
      const response = await call(row.handler, `/${row.name}`, buildOptions(row, id, owner));
      expect([response.status, response.body.code]).toEqual([400, "40000"]);
    }
    const hostile = { ...buildOptions(row, "%00' or 1=1 --", owner) };
    const response = await call(row.handler, `/${row.name}`, hostile);
    expect(response.status).toBeLessThan(500);
  });

  it("reject another user's user_id", async () => {
    for (const row of ROWS) {
      const options = buildOptions(row, idFor(row), otherBuyer);
      const withUserId = options.body
        ? { body: { ...options.body, user_id: owner.id } }
        : { query: `user_id=${owner.id}` };
      const response = await call(row.handler, `/${row.name}`, { ...options, ...withUserId });
      expect([row.name, response.body.code]).toEqual([row.name, expect.stringMatching(/^(40300|40000)$/)]);
    }
  });

  it("list only the user's own orders", async () => {
    for (const handler of [list, listUser]) {
      const response = await call(handler, "/order/list", { headers: { authorization: otherBuyer.bearer } });
      expect(response.body.data).toEqual({ orders: [], total: 0 });
    }
    const { id } = await createOrder(otherBuyer, (await createProduct()).plans[0]!.id);
    const response = await call(list, "/order/list", { headers: { authorization: otherBuyer.bearer } });
    expect(response.body.data.orders.map((one: { order_id: string }) => one.order_id)).toEqual([id]);
  });
});
