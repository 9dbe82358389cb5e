import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeDatabase, db } from "@/db/client";
import { createUser } from "@/db/factories/accounts";
import { createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { ConsoleOrdersInput } from "@/lib/orders/console/contract";
import { listConsoleOrders } from "@/lib/orders/console/list-console-orders";
import { PAGE_ROWS } from "@/lib/platform/console/list";
import { MAX_READ } from "../setup/rows-of-plan";
import { mostRead } from "../setup/rows-read";

const ORDERS = 200 * PAGE_ROWS;
const ARRIVALS_PER_SECOND = 20;
let planId: number;
let buyer: { id: string; email: string };

const list = (input: object = {}) => listConsoleOrders(ConsoleOrdersInput.parse(input), "en");

/** Orders of one plan in the past, one a minute, made by copying one. */
async function createOrders(count: number) {
  const { id } = await createOrder(buyer, planId, { status: "completed" });
  await db.execute(sql`
    insert into orders (id, user_id, send_email, locale, subtotal_cents, total_cents, hold_ends_at, created_at, attribution)
    select 'ord_bulk' || n, user_id, 'bulk' || lpad(n::text, 6, '0') || '@example.com', 'en', subtotal_cents, subtotal_cents, shop_now(),
      shop_now() - make_interval(mins => n), case when n % 500 = 0 then '{"source":"rare"}'::jsonb end
    from orders, generate_series(1, ${count}) n where id = ${id}`);
  await db.execute(sql`
    insert into order_lines (id, order_id, product_id, plan_id, position, quantity, unit_price_cents, total_cents, pass_type, refund_rule, state)
    select 'line_bulk' || o.id, o.id, l.product_id, l.plan_id, 1, 1, o.subtotal_cents, o.subtotal_cents, l.pass_type, l.refund_rule, 'reserved'
    from orders o, order_lines l where o.id like 'ord_bulk%' and l.order_id = ${id}`);
  await db.execute(sql`
    insert into payments (id, order_id, state, amount_cents, currency, receipt_email)
    select 'pay_bulk' || id, id, case when id like '%7' then 'canceled' else 'succeeded' end, 100, 'usd', send_email
    from orders where id like 'ord_bulk%'`);
  for (const table of ["orders", "order_lines", "payments"]) await db.execute(sql.raw(`analyze ${table}`));
}

beforeAll(async () => {
  const product = await createProduct({ plans: [{ keys: 1 }] });
  planId = product.plans[0]!.id;
  buyer = await createUser();
  await createOrders(ORDERS);
});
afterAll(closeDatabase);

describe("the list of orders", () => {
  it("returns each order once on 200 pages while 20 a second arrive", async () => {
    const before = await db.execute<{ id: string }>(sql`select id from orders`);
    const startedAt = Date.now();
    const elapsed = () => (Date.now() - startedAt) / 1000;
    let isReading = true;
    const arriving = (async () => {
      let added = 0;
      while (isReading) {
        // As many as are due by now, so that a slow machine does not thin them out.
        const due = Math.floor(elapsed() * ARRIVALS_PER_SECOND) - added;
        await Promise.all(Array.from({ length: due }, () => createOrder(buyer, planId)));
        added += due;
        await sleep(10);
      }
      return added;
    })();
    const seen: string[] = [];
    let pages = 0;
    for (let cursor: string | null | undefined; cursor !== null; pages++) {
      // A person needs a moment for each page, so that orders arrive between them.
      await sleep(10);
      const page = await list(cursor ? { cursor } : {});
      expect(page.items.length).toBeLessThanOrEqual(PAGE_ROWS);
      expect(page).toMatchObject({ total: 1000, total_exact: false });
      seen.push(...page.items.map(({ order_id }) => order_id));
      cursor = page.next_cursor;
    }
    const seconds = elapsed();
    isReading = false;
    const arrived = await arriving;
    console.log(
      `${pages} pages met ${seen.length} orders in ${seconds.toFixed(1)} s, while ${arrived} arrived (${(arrived / seconds).toFixed(1)} a second)`,
    );
    expect(pages).toBeGreaterThanOrEqual(200);
    expect(arrived).toBeGreaterThanOrEqual(ARRIVALS_PER_SECOND); // in two seconds at least; a slow machine takes longer
    expect(new Set(seen).size).toBe(seen.length);
    const met = new Set(seen);
    expect(before.filter(({ id }) => !met.has(id))).toEqual([]);
  });

  it.each([
    {},
    { status: "pending" },
    { status: "completed" },
    { email: "bulk0" },
    { email: "nobody" },
    { from: "2020-01-01", to: "2090-01-01" },
    { amount_from: "9999" },
    { came_from: "rare" },
    { vip_id: "2147483000" },
    { vendor: "no-such-vendor" },
    { number: "PL-0000-0000" },
    { coupon_code: "NOSUCHCODE" },
    { disputed: "true" },
    { waiting: "true" },
    { customer_id: "usr_none" },
    { customer_id: "usr_none", email: "bulk", disputed: "true" },
    { number: "PL-0000-0000", coupon_code: "NOSUCHCODE", disputed: "true" },
    { status: "refunded", vendor: "no-such-vendor", email: "bulk" },
  ])("reads at most 2,100 rows per statement: %j", async (input) => {
    expect(await mostRead(() => list(input))).toBeLessThanOrEqual(MAX_READ);
    const [{ next_cursor: cursor }] = [await list(input)];
    if (cursor) expect(await mostRead(() => list({ ...input, cursor }))).toBeLessThanOrEqual(MAX_READ);
  });

  it("continues when a filter without an index has read only a part", async () => {
    const found: string[] = [];
    let looks = 0;
    for (let cursor: string | null | undefined; cursor !== null; looks++) {
      const page = await list({ came_from: "rare", ...(cursor && { cursor }) });
      found.push(...page.items.map(({ order_id }) => order_id));
      expect(page.looked_back_to === null).toBe(page.next_cursor === null);
      cursor = page.next_cursor;
    }
    expect(found).toHaveLength(ORDERS / 500);
    expect(looks).toBeGreaterThan(2);
  });

  it("finds by number, payment, address, coupon, plan, amount and dispute", async () => {
    const { id } = await createOrder(buyer, planId, { status: "processing" });
    await db.execute(sql`update orders set transaction_id = 'pi_console' where id = ${id}`);
    await db.execute(sql`update order_lines set state = 'waiting' where order_id = ${id}`);
    await db.execute(sql`insert into disputes (id, order_id, intent_id, amount_cents, reason, status, is_open)
      values ('dp_console', ${id}, 'pi_console', 100, 'fraudulent', 'needs_response', true)`);
    const [row] = await db.execute<{ order_number: string; cents: number }>(
      sql`select order_number, total_cents as cents from orders where id = ${id}`,
    );
    const idsOf = async (input: object) => (await list(input)).items.map(({ order_id }) => order_id);
    for (const number of [id, row!.order_number.toLowerCase(), "pi_console"])
      expect(await idsOf({ number }), number).toEqual([id]);
    for (const input of [
      { email: buyer.email },
      { customer_id: buyer.id },
      { customer_id: buyer.id, disputed: true },
      { waiting: true },
      { disputed: true },
      { vip_id: planId },
      { amount_from: row!.cents / 100, amount_to: row!.cents / 100, status: "processing" },
    ])
      expect(await idsOf(input), JSON.stringify(input)).toContain(id);
    const [order] = (await list({ number: id })).items;
    expect(order).toMatchObject({
      disputed: true,
      status: "processing",
      passes: [{ quantity: 1, waiting: true }],
    });
    expect(await idsOf({ number: id, amount_from: 9999 })).toEqual([]);
    expect(await idsOf({ number: id, customer_id: "usr_none" })).toEqual([]);
    expect(await idsOf({ number: id, coupon_code: "NOSUCHCODE" })).toEqual([]);
    expect((await list({ email: "bulk00001" })).total).toBe(10);
  });

  it("rejects the cursor of other filters and a malformed one", async () => {
    const { next_cursor: cursor } = await list();
    for (const wrong of [
      { cursor, status: "pending" },
      { cursor: "nonsense" },
      { cursor: `${cursor}x`.slice(3) },
    ])
      await expect(list(wrong)).rejects.toMatchObject({ error: "cursor_invalid" });
  });
});
