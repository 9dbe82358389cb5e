import { sql } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { client, db, transaction } from "@/db/client";
import { createCategory, createKeys, createProduct } from "@/db/factories/catalog";
import { createMailedKey, createOrder } from "@/db/factories/orders";
import { setReviews } from "@/db/factories/reviews";
import { updateUsername } from "@/lib/accounts/profile/update-username";
import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { env } from "@/lib/platform/env";
import { InvalidationListener } from "@/lib/platform/page-cache/invalidation-listener";
import { createReview } from "@/lib/reviews/create-review";
import { openProxy } from "../setup/proxy";
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
  await sale.closeSale();
});

/** The tags that the database notifies of during a change. */
async function collectTags(change: () => Promise<unknown>): Promise<string[]> {
  await listener.confirm();
  notified = [];
  await change();
  expect(await listener.confirm()).toBe(true);
  return [...new Set(notified)].sort();
}

const getCategory = async (id: number) => {
  const [row] = await db.execute<{ category: string }>(sql`select category from products where id = ${id}`);
  return row!.category;
};

describe("notifications of page tags", () => {
  it("name the product and its lists when texts, prices, plans or deals change", async () => {
    const { id, slug, plans } = await createProduct({ plans: [{ keys: 30, deal: { quantity: 3 } }] });
    const productTags = ["list", `list:${await getCategory(id)}`, `product:${id}`];
    const updateAndCollect = (statement: Parameters<typeof db.execute>[0]) =>
      collectTags(() => db.execute(statement));
    expect(
      await updateAndCollect(sql`update product_texts set name = name || '!' where product_id = ${id}`),
    ).toEqual(productTags);
    expect(
      await updateAndCollect(sql`update plans set price_cents = price_cents + 1 where product_id = ${id}`),
    ).toEqual(productTags);
    expect(await updateAndCollect(sql`update products set sort_num = sort_num + 1 where id = ${id}`)).toEqual(
      productTags,
    );
    expect(
      await updateAndCollect(
        sql`update deals set price_cents = price_cents - 1 where plan_id = ${plans[0]!.id}`,
      ),
    ).toEqual(productTags);
    expect(await updateAndCollect(sql`update deals set claimed = 1 where plan_id = ${plans[0]!.id}`)).toEqual(
      [`product:${id}`],
    );
    expect(await updateAndCollect(sql`update deals set claimed = 3 where plan_id = ${plans[0]!.id}`)).toEqual(
      productTags,
    );
    expect(await collectTags(() => setReviews(slug, [5]))).toContain(`product:${id}`);
  });

  it("name the product of a stock change only when the shown stock changes: low, sold out, available again", async () => {
    const plentiful = await createProduct({ plans: [{ keys: 60 }] });
    const scarce = await createProduct({ plans: [{ keys: 5 }] });
    const lastOne = await createProduct({ plans: [{ keys: 1 }] });
    const buyer = await sale.createBuyer();
    const order = (product: typeof plentiful) => sale.orderPlan(buyer, product.plans[0]!.id);
    expect(await collectTags(() => order(plentiful))).toEqual([]);
    expect(await collectTags(() => order(scarce))).toEqual([`product:${scarce.id}`]);
    let heldOrder = "";
    expect(
      await collectTags(async () => {
        heldOrder = await order(lastOne);
      }),
    ).toEqual(["list", `list:${await getCategory(lastOne.id)}`, `product:${lastOne.id}`]);
    expect(await collectTags(() => cancelOrder(buyer.viewer, { order_id: heldOrder }))).toEqual([
      "list",
      `list:${await getCategory(lastOne.id)}`,
      `product:${lastOne.id}`,
    ]);
    expect(await collectTags(() => createKeys(plentiful.plans[0]!.id, 3))).toEqual([]);
  });

  it("name both category lists of a moved product, and the list of a renamed category", async () => {
    const { id } = await createProduct();
    const before = await getCategory(id);
    const other = await createCategory();
    const notified = await collectTags(() =>
      db.execute(sql`update products set category = ${other} where id = ${id}`),
    );
    expect(notified).toEqual(["list", `list:${before}`, `list:${other}`, `product:${id}`].sort());
    const rename = sql`update categories set names = '{"en":"Renamed"}' where slug = ${other}`;
    expect(await collectTags(() => db.execute(rename))).toEqual(["list", `list:${other}`]);
  });

  it("name the product of a key's redemption date at any stock", async () => {
    const { id, plans } = await createProduct({ plans: [{ keys: 60 }] });
    const updateAndCollect = (day: string | null) => () =>
      db.execute(sql`update keys set redeem_by = shop_now() + ${day}::interval
        where id = (select min(id) from keys where plan_id = ${plans[0]!.id})`);
    expect(await collectTags(updateAndCollect("3 days"))).toEqual([`product:${id}`]);
    expect(await collectTags(updateAndCollect("3 days"))).toEqual([`product:${id}`]);
    expect(await collectTags(updateAndCollect(null))).toEqual([`product:${id}`]);
    expect(await collectTags(updateAndCollect(null))).toEqual([]);
  });

  it("name posts and campaigns, but a claim only when it spends the budget", async () => {
    expect(await collectTags(() => db.execute(sql`update posts set updated_at = updated_at`))).toEqual([
      "posts",
    ]);
    const updateAndCollect = (change: ReturnType<typeof sql>) =>
      collectTags(() => db.execute(sql`update campaigns set ${change} where id = 'daily'`));
    expect(await updateAndCollect(sql`enabled = false`)).toEqual(["campaigns"]);
    expect(await updateAndCollect(sql`enabled = true`)).toEqual(["campaigns"]);
    expect(await updateAndCollect(sql`promised_cents = promised_cents + 1`)).toEqual([]);
    expect(await updateAndCollect(sql`promised_cents = monthly_budget_cents`)).toEqual(["campaigns"]);
    await db.execute(sql`update campaigns set promised_cents = 0 where id = 'daily'`);
  });

  it("name the products that a renamed user has reviewed", async () => {
    const { id, plans } = await createProduct();
    const buyer = await sale.createBuyer();
    const rename = () => updateUsername(buyer.viewer, { new_username: "Zoe" });
    expect(await collectTags(rename)).toEqual([]);
    const order = await createOrder(buyer, plans[0]!.id, { status: "completed" });
    await createMailedKey(plans[0]!.id, order.lineId);
    const review = { product_id: id, order_id: order.id, rating: 5, title: "Good", content: "It is." };
    expect(await collectTags(() => createReview(buyer.viewer, review))).toEqual([
      `product:${id}`,
      "seller:vendors-co",
    ]);
    expect(await collectTags(rename)).toEqual([`product:${id}`]);
  });

  it("are not sent by a transaction that rolls back", async () => {
    const { id } = await createProduct();
    expect(
      await collectTags(() =>
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
    const received = { notified: [] as string[], lost: 0 };
    const ownListener = await InvalidationListener.open(
      {
        onTag: (tag) => received.notified.push(tag),
        onLost: () => {
          received.lost += 1;
        },
      },
      { listenUrl: address },
    );
    return { ownListener, received: received };
  };

  it("is trusted while it gets confirmations, and reconnects when its connection is cut", async () => {
    expect(listener.isTrusted()).toBe(true);
    const before = lost;
    await client()`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'passlane-pages' and datname = current_database()`;
    await expect.poll(() => lost, { timeout: 15_000 }).toBeGreaterThan(before);
    await expect.poll(() => listener.confirm(), { timeout: 15_000 }).toBe(true);
    expect(listener.isTrusted()).toBe(true);
    const { id } = await createProduct();
    expect(
      await collectTags(() => db.execute(sql`update products set sort_num = 3 where id = ${id}`)),
    ).toContain("list");
  });

  it("is not trusted two seconds after its connection goes silent, and reconnects on its own", async () => {
    const url = new URL(env().DATABASE_URL);
    const proxy = await openProxy(Number(url.port));
    url.port = String(proxy.port);
    url.hostname = "127.0.0.1";
    const { ownListener, received } = await open(url.href);
    try {
      expect(ownListener.isTrusted()).toBe(true);
      proxy.set("drop"); // packets are dropped without an error
      const silentSince = performance.now();
      const { id } = await createProduct();
      await new Promise((resolve) => setTimeout(resolve, silentSince + 2_000 - performance.now()));
      expect(ownListener.isTrusted()).toBe(false);
      expect(await ownListener.confirm()).toBe(false);
      expect(received.notified).not.toContain(`product:${id}`);
      const before = received.lost;
      proxy.set("none");
      await expect.poll(() => ownListener.isTrusted(), { timeout: 20_000, interval: 20 }).toBe(true);
      expect(received.lost).toBeGreaterThan(before); // notifications of that time are lost
      await db.execute(sql`update products set sort_num = 4 where id = ${id}`);
      expect(await ownListener.confirm()).toBe(true);
      expect(received.notified).toContain(`product:${id}`);
    } finally {
      await ownListener.stop();
      await proxy.close();
    }
  });

  it("starts untrusted without a database, and is trusted once it connects", async () => {
    const url = new URL(env().DATABASE_URL);
    const proxy = await openProxy(Number(url.port));
    url.port = String(proxy.port);
    url.hostname = "127.0.0.1";
    proxy.set("reset");
    const { ownListener } = await open(url.href);
    try {
      expect([ownListener.isTrusted(), await ownListener.confirm()]).toEqual([false, false]);
      proxy.set("none");
      await expect.poll(() => ownListener.isTrusted(), { timeout: 20_000 }).toBe(true);
    } finally {
      await ownListener.stop();
      await proxy.close();
    }
  });
});
