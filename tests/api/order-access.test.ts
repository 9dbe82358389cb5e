import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
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
import { call, type Sent } from "./call";

vi.setConfig({ testTimeout: 60_000 });

/** Every call of the sale: what it needs, and how it answers for a thing of another, which is how it answers for none. */
type Row = { name: string; handler: Handler; unknown?: string; of?: (id: string) => Sent; plain?: Sent };
const body = (fields: object): Sent => ({ body: fields });
const order =
  (more: object = {}) =>
  (order_id: string) =>
    body({ order_id, ...more });
const cart =
  (more: object = {}) =>
  (cart_id: string) =>
    body({ cart_id, ...more });
const ROWS: Row[] = [
  { name: "cart/list", handler: listCart, plain: {} },
  { name: "cart/add", handler: addCart, plain: body({ product_id: 1, vip_id: 1 }) },
  { name: "cart/auto-add", handler: autoAdd, plain: body({ product_id: 1 }) },
  { name: "cart/update", handler: updateCart, unknown: "40405", of: cart({ quantity: 2 }) },
  { name: "cart/delete", handler: deleteCart, of: cart() },
  { name: "cart/settle", handler: settleCart, unknown: "40405", of: (id) => body({ cart_ids: [id] }) },
  { name: "order/create", handler: create, unknown: "40405", of: (id) => body({ cart_record_ids: [id] }) },
  { name: "order/list", handler: list, plain: {} },
  { name: "order/list/user", handler: listUser, plain: {} },
  { name: "order/detail", handler: detail, unknown: "40402", of: (id) => ({ query: `order_id=${id}` }) },
  { name: "order/cancel", handler: cancel, unknown: "40402", of: order() },
  { name: "order/delete", handler: remove, unknown: "40402", of: order() },
  { name: "order/free-payment", handler: freePayment, unknown: "40402", of: order() },
  { name: "order/update-status", handler: updateStatus, unknown: "40402", of: order({ status: "paid" }) },
  {
    name: "order/update/email",
    handler: updateEmail,
    unknown: "40402",
    of: order({ send_email: "elsewhere@example.com" }),
  },
  { name: "payment/stripe/create-payment-intent", handler: createIntent, unknown: "40402", of: order() },
  {
    name: "payment/sandbox/confirm",
    handler: confirm,
    unknown: "40402",
    of: (client_secret) => body({ client_secret, outcome: "succeeded" }),
  },
  { name: "library", handler: library, plain: {} },
  { name: "library/reveal", handler: reveal, unknown: "40407", of: (id) => body({ library_id: id }) },
];

let owner: sale.Buyer;
let stranger: sale.Buyer;
let own: { cart: string; order: string; secret: string; key: string };
beforeAll(async () => {
  sale.receiveEventsHere();
  [owner, stranger] = await Promise.all([sale.newBuyer(), sale.newBuyer()]);
  const planId = (await createProduct({ plans: [{ keys: 9 }] })).plans[0]!.id;
  await sale.sell(owner, planId);
  const [key] = await db.execute<{ id: string }>(sql`select id from keys where state = 'assigned'`);
  const open = await sale.orderOf(owner, planId);
  const { clientSecret } = await sale.openPayment(owner, open);
  const line = await createCartLine(owner.id, planId);
  own = { cart: line, order: open, secret: clientSecret, key: key!.id };
}, 60_000);
afterAll(sale.endSale);

const idFor = ({ name }: Row) =>
  name.startsWith("cart") || name === "order/create"
    ? own.cart
    : name === "library/reveal"
      ? own.key
      : name === "payment/sandbox/confirm"
        ? own.secret
        : own.order;
const sent = (row: Row, id: string, who?: sale.Buyer): Sent => ({
  ...(row.of ? row.of(id) : row.plain),
  headers: who ? { authorization: who.bearer } : {},
});
const everything = async () => {
  const [row] = await db.execute(sql`select
    (select jsonb_agg(to_jsonb(o) order by id) from orders o) as orders,
    (select jsonb_agg(to_jsonb(k) - 'sealed' order by id) from keys k) as keys,
    (select jsonb_agg(to_jsonb(c) order by id) from cart_lines c) as lines,
    (select jsonb_agg(to_jsonb(p) order by id) from payments p) as payments,
    (select jsonb_agg(to_jsonb(i) order by id) from sandbox_intents i) as intents`);
  return JSON.stringify(row);
};

describe("the calls of the sale", () => {
  it.each(ROWS)("$name: a guest is asked to sign in, and nothing happens", async (row) => {
    const before = await everything();
    const answer = await call(row.handler, `/${row.name}`, sent(row, idFor(row)));
    expect([answer.status, answer.body.code]).toEqual([401, "401"]);
    expect(answer.headers.get("cache-control")).toContain("no-store");
    expect(await everything()).toBe(before);
  });

  it.each(ROWS.filter((row) => row.of))("$name: another's thing answers like a missing one", async (row) => {
    const before = await everything();
    const foreign = await call(row.handler, `/${row.name}`, sent(row, idFor(row), stranger));
    const missing = await call(row.handler, `/${row.name}`, sent(row, `${idFor(row)}x`, stranger));
    expect(foreign.status).toBe(missing.status);
    expect(foreign.body).toEqual(missing.body);
    expect(foreign.body.code).toBe(row.unknown ?? "200");
    expect(JSON.stringify(foreign.body)).not.toContain(owner.email);
    expect(await everything()).toBe(before);
  });

  it.each(ROWS.filter((row) => row.of))(
    "$name: nonsense is refused as such, not an error of ours",
    async (row) => {
      for (const id of ["", "x".repeat(300)]) {
        const answer = await call(row.handler, `/${row.name}`, sent(row, id, owner));
        expect([answer.status, answer.body.code]).toEqual([400, "40000"]);
      }
      const strange = { ...sent(row, "%00' or 1=1 --", owner) };
      const answer = await call(row.handler, `/${row.name}`, strange);
      expect(answer.status).toBeLessThan(500);
    },
  );

  it("as another: a foreign user_id is refused on every call, and written down", async () => {
    for (const row of ROWS) {
      const asked = sent(row, idFor(row), stranger);
      const more = asked.body
        ? { body: { ...asked.body, user_id: owner.id } }
        : { query: `user_id=${owner.id}` };
      const answer = await call(row.handler, `/${row.name}`, { ...asked, ...more });
      expect([row.name, answer.body.code]).toEqual([row.name, expect.stringMatching(/^(40300|40000)$/)]);
    }
  });

  it("lists nothing of another", async () => {
    for (const handler of [list, listUser]) {
      const answer = await call(handler, "/order/list", { headers: { authorization: stranger.bearer } });
      expect(answer.body.data).toEqual({ orders: [], total: 0 });
    }
    const { id } = await createOrder(stranger, (await createProduct()).plans[0]!.id);
    const answer = await call(list, "/order/list", { headers: { authorization: stranger.bearer } });
    expect(answer.body.data.orders.map((one: { order_id: string }) => one.order_id)).toEqual([id]);
  });
});
