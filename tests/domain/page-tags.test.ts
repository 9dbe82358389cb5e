import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { client, db, transaction } from "@/db/client";
import { createCategory, createKeys, createProduct } from "@/db/factories/catalog";
import { createOrder } from "@/db/factories/orders";
import { setReviews } from "@/db/factories/reviews";
import { updateUsername } from "@/lib/accounts/profile/commands";
import { cancelOrder } from "@/lib/orders/cancellation/commands";
import { env } from "@/lib/platform/env";
import { InvalidationListener } from "@/lib/platform/page-cache/invalidation-listener";
import { createReview } from "@/lib/reviews/commands";
import { openProxy } from "../faults/proxy";
import * as sale from "../setup/sale";

let listener: InvalidationListener;
let notified: string[] = [];
let lost = 0;
beforeAll(async () => {
  listener = await InvalidationListener.open({
    onTag: (tag) => notified.push(tag),
    onLost: () => {
      lost += 1;
    },
  });
});
beforeEach(async () => {
  await listener.confirm();
  notified = [];
});
afterEach(() => sale.setClockAhead("0"));
afterAll(async () => {
  await listener.stop();
  await sale.endSale();
});

/** The tags that the database notifies of a change. */
async function tags(change: () => Promise<unknown>): Promise<string[]> {
  await listener.confirm();
  notified = [];
  await change();
  expect(await listener.confirm()).toBe(true);
  return [...new Set(notified)].sort();
}

const categoryOf = async (id: number) => {
  const [row] = await db.execute<{ category: string }>(sql`select category from products where id = ${id}`);
  return row!.category;
};

describe("notifications of page tags", () => {
  it("texts, prices, plans and deals: of the product, and of the lists", async () => {
    const { id, slug, plans } = await createProduct({ plans: [{ keys: 30, deal: { quantity: 3 } }] });
    const own = ["list", `list:${await categoryOf(id)}`, `product:${id}`];
    const set = (statement: Parameters<typeof db.execute>[0]) => tags(() => db.execute(statement));
    expect(await set(sql`update product_texts set name = name || '!' where product_id = ${id}`)).toEqual(own);
    expect(await set(sql`update plans set price_cents = price_cents + 1 where product_id = ${id}`)).toEqual(
      own,
    );
    expect(await set(sql`update products set sort_num = sort_num + 1 where id = ${id}`)).toEqual(own);
    expect(
      await set(sql`update deals set price_cents = price_cents - 1 where plan_id = ${plans[0]!.id}`),
    ).toEqual(own);
    expect(await set(sql`update deals set claimed = 1 where plan_id = ${plans[0]!.id}`)).toEqual([
      `product:${id}`,
    ]);
    expect(await set(sql`update deals set claimed = 3 where plan_id = ${plans[0]!.id}`)).toEqual(own);
    expect(await tags(() => setReviews(slug, [5]))).toContain(`product:${id}`);
  });

  it("stock only where it is shown: few, none, some again", async () => {
    const many = await createProduct({ plans: [{ keys: 60 }] });
    const few = await createProduct({ plans: [{ keys: 5 }] });
    const last = await createProduct({ plans: [{ keys: 1 }] });
    const buyer = await sale.newBuyer();
    const order = (product: typeof many) => sale.orderOf(buyer, product.plans[0]!.id);
    expect(await tags(() => order(many))).toEqual([]);
    expect(await tags(() => order(few))).toEqual([`product:${few.id}`]);
    let held = "";
    expect(
      await tags(async () => {
        held = await order(last);
      }),
    ).toEqual(["list", `list:${await categoryOf(last.id)}`, `product:${last.id}`]);
    expect(await tags(() => cancelOrder(buyer.viewer, { order_id: held }))).toEqual([
      "list",
      `list:${await categoryOf(last.id)}`,
      `product:${last.id}`,
    ]);
    expect(await tags(() => createKeys(many.plans[0]!.id, 3))).toEqual([]);
  });

  it("the lists of a category: of both when a product moves, and of its own when it is renamed", async () => {
    const { id } = await createProduct();
    const before = await categoryOf(id);
    const other = await createCategory();
    const notified = await tags(() =>
      db.execute(sql`update products set category = ${other} where id = ${id}`),
    );
    expect(notified).toEqual(["list", `list:${before}`, `list:${other}`, `product:${id}`].sort());
    const rename = sql`update categories set names = '{"en":"Renamed"}' where slug = ${other}`;
    expect(await tags(() => db.execute(rename))).toEqual(["list", `list:${other}`]);
  });

  it("the day by which a code must be redeemed, for any stock", async () => {
    const { id, plans } = await createProduct({ plans: [{ keys: 60 }] });
    const set = (day: string | null) => () =>
      db.execute(sql`update keys set redeem_by = shop_now() + ${day}::interval
        where id = (select min(id) from keys where plan_id = ${plans[0]!.id})`);
    expect(await tags(set("3 days"))).toEqual([`product:${id}`]);
    expect(await tags(set("3 days"))).toEqual([`product:${id}`]);
    expect(await tags(set(null))).toEqual([`product:${id}`]);
    expect(await tags(set(null))).toEqual([]);
  });

  it("posts and campaigns; a claim only when it uses up the budget", async () => {
    expect(await tags(() => db.execute(sql`update posts set updated_at = updated_at`))).toEqual(["posts"]);
    const set = (change: ReturnType<typeof sql>) =>
      tags(() => db.execute(sql`update campaigns set ${change} where id = 'daily'`));
    expect(await set(sql`enabled = false`)).toEqual(["campaigns"]);
    expect(await set(sql`enabled = true`)).toEqual(["campaigns"]);
    expect(await set(sql`promised_cents = promised_cents + 1`)).toEqual([]);
    expect(await set(sql`promised_cents = monthly_budget_cents`)).toEqual(["campaigns"]);
    await db.execute(sql`update campaigns set promised_cents = 0 where id = 'daily'`);
  });

  it("a username that a review shows", async () => {
    const { id, plans } = await createProduct();
    const buyer = await sale.newBuyer();
    const rename = () => updateUsername(buyer.viewer, { new_username: "Zoe" });
    expect(await tags(rename)).toEqual([]);
    const order = await createOrder(buyer, plans[0]!.id, { status: "completed" });
    const review = { product_id: id, order_id: order.id, rating: 5, title: "Good", content: "It is." };
    expect(await tags(() => createReview(buyer.viewer, review))).toEqual([`product:${id}`]);
    expect(await tags(rename)).toEqual([`product:${id}`]);
  });

  it("nothing of a transaction that is rolled back", async () => {
    const { id } = await createProduct();
    expect(
      await tags(() =>
        transaction(async (tx) => {
          await tx.execute(sql`update products set sort_num = 9 where id = ${id}`);
          throw new Error("rolled back");
        }).catch(() => {}),
      ),
    ).toEqual([]);
  });
});

describe("InvalidationListener", () => {
  const open = async (address?: string) => {
    const seen = { notified: [] as string[], lost: 0 };
    const own = await InvalidationListener.open(
      {
        onTag: (tag) => seen.notified.push(tag),
        onLost: () => {
          seen.lost += 1;
        },
      },
      address,
    );
    return { own, seen };
  };

  it("is trusted while it is confirmed, and reconnects when its connection is cut", async () => {
    expect(listener.isTrusted()).toBe(true);
    const before = lost;
    await client()`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'passlane-pages' and datname = current_database()`;
    await expect.poll(() => lost, { timeout: 1_000 }).toBeGreaterThan(before);
    await expect.poll(() => listener.confirm(), { timeout: 5_000 }).toBe(true);
    expect(listener.isTrusted()).toBe(true);
    const { id } = await createProduct();
    expect(await tags(() => db.execute(sql`update products set sort_num = 3 where id = ${id}`))).toContain(
      "list",
    );
  });

  it("is not trusted two seconds after its connection falls silent, and reconnects by itself", async () => {
    const url = new URL(env().DATABASE_URL);
    const proxy = await openProxy(Number(url.port));
    url.port = String(proxy.port);
    url.hostname = "127.0.0.1";
    const { own, seen } = await open(url.href);
    try {
      expect(own.isTrusted()).toBe(true);
      proxy.set("drop"); // no end, no error: nothing arrives any more
      const silent = performance.now();
      const { id } = await createProduct();
      await expect.poll(() => own.isTrusted(), { timeout: 3_000, interval: 20 }).toBe(false);
      expect(performance.now() - silent).toBeLessThan(2_100);
      expect(await own.confirm()).toBe(false);
      expect(seen.notified).not.toContain(`product:${id}`);
      const before = seen.lost;
      proxy.set("none");
      await expect.poll(() => own.isTrusted(), { timeout: 10_000, interval: 20 }).toBe(true);
      expect(seen.lost).toBeGreaterThan(before); // notifications meanwhile are lost
      await db.execute(sql`update products set sort_num = 4 where id = ${id}`);
      expect(await own.confirm()).toBe(true);
      expect(seen.notified).toContain(`product:${id}`);
    } finally {
      await own.stop();
      await proxy.close();
    }
  });

  it("opens without a database, is not trusted, and is trusted when there is one", async () => {
    const url = new URL(env().DATABASE_URL);
    const proxy = await openProxy(Number(url.port));
    url.port = String(proxy.port);
    url.hostname = "127.0.0.1";
    proxy.set("reset");
    const { own } = await open(url.href);
    try {
      expect([own.isTrusted(), await own.confirm()]).toEqual([false, false]);
      proxy.set("none");
      await expect.poll(() => own.isTrusted(), { timeout: 5_000 }).toBe(true);
    } finally {
      await own.stop();
      await proxy.close();
    }
  });
});
