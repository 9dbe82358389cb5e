import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { client, closeDatabase, db } from "@/db/client";
import { createSignedInUser, type SignedInUser } from "@/db/factories/accounts";
import { createOrder } from "@/db/factories/orders";
import { env } from "@/lib/platform/env";
import { startTestServer, type TestServer } from "../setup/shop";
import { ask, cacheStatus, makeWorld, type Place, pagesOf, type World, within, words } from "./cache-pages";
import { type FaultProxy, openProxy } from "./proxy";
import { shopperAt } from "./shopper";

vi.setConfig({ testTimeout: 120_000 });

/** Two instances of the shop; trouble can be made on the connection that tells the second one of changed pages. */
let one: TestServer;
let two: TestServer;
let line: FaultProxy;
let world: World;
let places: Place[];
let user: SignedInUser;
beforeAll(async () => {
  const { DATABASE_URL: databaseUrl, DATA_DIR: dataDir } = env();
  world = await makeWorld();
  places = pagesOf(world);
  user = await createSignedInUser();
  const through = new URL(databaseUrl);
  line = await openProxy(Number(through.port), "passlane-pages");
  through.port = String(line.port);
  [one, two] = (await Promise.all(
    [databaseUrl, through.href].map((url, at) =>
      startTestServer({ databaseUrl: url, dataDir, log: `test-results/cache-${at}.log` }),
    ),
  )) as [TestServer, TestServer];
}, 180_000);
afterAll(async () => {
  await Promise.all([one?.stop(), two?.stop()]);
  await line?.close();
  await closeDatabase();
});

async function each<T>(work: (place: Place) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  const left = places.entries();
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (const [at, place] of left) done[at] = await work(place);
    }),
  );
  return done;
}
const seen = (shop: TestServer) =>
  each(async ({ path }) => {
    const got = await ask(shop.address, path);
    expect([path, got.status]).toEqual([path, 200]);
    return words(got.text);
  });
/** The same pages with a query that no key has: rendered for this request. */
const rendered = (shop: TestServer) =>
  each(async ({ path }) =>
    words((await ask(shop.address, `${path}${path.includes("?") ? "&" : "?"}fresh=1`)).text),
  );
const statuses = (shop: TestServer, paths: string[]) =>
  Promise.all(paths.map(async (path) => cacheStatus(await ask(shop.address, path))));
const warm = async (shop: TestServer, path: string) => {
  await ask(shop.address, path);
  expect(await within(3000, async () => cacheStatus(await ask(shop.address, path)) === "hit")).not.toBeNull();
};

/** Pages that show something else than before, by their addresses. */
const changed = (before: string[], after: string[]) =>
  places.filter((_, at) => before[at] !== after[at]).map(({ path }) => path);
/** Pages that show nothing of any product, and one of another product alone. */
const OTHERS = ["/refund-policy", "/zh/blog", "/ja/mobile/privacy-policy"];
const OF_ANOTHER = ["/product/quite-another", "/ja/mobile/product/quite-another"];

/** Caches these pages on both instances, makes a change, waits until it arrives and checks that they are still cached. */
async function spares(paths: string[], change: () => Promise<unknown>): Promise<void> {
  const [touched] = ofProduct() as [string];
  for (const path of [...paths, touched]) for (const shop of [one, two]) await warm(shop, path);
  await change();
  for (const shop of [one, two]) {
    expect(await within(2000, async () => (await statuses(shop, [touched]))[0] !== "hit")).not.toBeNull();
    expect(await statuses(shop, paths)).toEqual(paths.map(() => "hit"));
  }
}
const ofProduct = () =>
  places.map(({ path }) => path).filter((path) => /shown-everywhere|detail\/\d/.test(path));

/** Both instances show the change within a second, as a fresh render shows it; other pages stay cached. */
async function expectShown(before: string[], expected: string[], { next = false } = {}) {
  const first = next ? await seen(one) : null;
  const current = await rendered(one);
  if (first) expect(changed(first, current)).toEqual([]);
  const late = await within(1000, async () => changed(await seen(two), current).length === 0);
  expect(late, "the other instance").not.toBeNull();
  expect(changed(await seen(one), current)).toEqual([]);
  expect(expected.filter((path) => !changed(before, current).includes(path))).toEqual([]);
}

const shown = (not = "") => places.map(({ path }) => path).filter((path) => !not || !path.includes(not));

/** Takes so many of the stock into an order, at the first instance; its id. */
async function take(quantity: number): Promise<string> {
  const call = shopperAt(one.address, user);
  const line = { product_id: world.product.id, vip_id: world.product.plans[0]!.id, quantity };
  const added = await call("/cart/add", line);
  const made = await call("/order/create", { cart_record_ids: [added.data.cart_id] });
  expect(made.code).toBe("200");
  return made.data.order_id;
}

describe("a change shows on every page that holds it, on both instances", () => {
  beforeAll(async () => {
    for (const shop of [one, two]) {
      await seen(shop);
    }
  }, 120_000);

  it("a text, in three languages", async () => {
    const before = await seen(one);
    await db.execute(
      sql`update product_texts set name = name || ' X2' where product_id = ${world.product.id}`,
    );
    await expectShown(
      before,
      places.map(({ path }) => path),
    );
  });

  it("a price", async () => {
    const before = await seen(one);
    await db.execute(sql`update deals set price_cents = 2999 where id = ${world.product.plans[0]!.dealId}`);
    await expectShown(
      before,
      places.map(({ path }) => path),
    );
    expect((await ask(two.address, "/feeds/products.jsonl")).text).toContain("29.99");
  });

  it("stock, for the buyer at the very next request", async () => {
    const before = await seen(one);
    const order = await take(1);
    await expectShown(before, ofProduct(), { next: true });
    const held = await seen(one);
    await shopperAt(one.address, user)("/order/cancel", { order_id: order });
    await expectShown(held, ofProduct(), { next: true });
  });

  it("the last of the stock: it leaves home and deals", async () => {
    const before = await seen(one);
    const order = await take(5);
    await expectShown(before, shown("top-trending"), { next: true });
    const held = await seen(one);
    await shopperAt(one.address, user)("/order/cancel", { order_id: order });
    await expectShown(held, shown("top-trending"), { next: true });
  });

  it("a review, for its author at the very next request", async () => {
    const order = await createOrder(user, world.product.plans[0]!.id, { status: "completed" });
    const before = await seen(one);
    const review = {
      product_id: world.product.id,
      order_id: order.id,
      rating: 2,
      title: "So",
      content: "It is so.",
    };
    expect((await shopperAt(one.address, user)("/comment/create", review)).code).toBe("200");
    await expectShown(before, ofProduct(), { next: true });
  });

  it("a username, on the reviews of that user", async () => {
    const before = await seen(one);
    const renamed = await ask(one.address, "/api/v1/auth/username/update", {
      method: "PUT",
      headers: { authorization: user.bearer, "content-type": "application/json" },
      body: JSON.stringify({ new_username: "Zoe" }),
    });
    expect(renamed.status).toBe(200);
    await expectShown(before, ofProduct(), { next: true });
  });
});

describe("a write invalidates only the pages that show it", () => {
  it("a price spares pages without products, and products of other categories", () =>
    spares([...OTHERS, ...OF_ANOTHER], () =>
      db.execute(sql`update plans set price_cents = price_cents + 1 where product_id = ${world.product.id}`),
    ));
  it("stock and reviews spare other products, too", async () => {
    await spares([...OTHERS, ...OF_ANOTHER], () => take(1));
    await spares([...OTHERS, ...OF_ANOTHER], () =>
      db.execute(sql`update reviews set title = 'Otherwise' where product_id = ${world.product.id}`),
    );
  });
});

describe("an instance that missed a notification", () => {
  const path = "/product/quite-another";
  const rename = (name: string) =>
    db.execute(sql`update product_texts set name = ${name} where product_id = ${world.other.id}`);
  const shows = async (shop: TestServer, name: string) => (await ask(shop.address, path)).text.includes(name);

  it("shows the change after a restart", async () => {
    await warm(two, path);
    expect(await two.kill()).toBe("SIGKILL");
    await rename("While it was away");
    await two.start();
    expect(await shows(two, "While it was away")).toBe(true);
  });

  it("shows the change within a second though its connection was cut during the commit", async () => {
    for (let round = 0; round < 3; round += 1) {
      await warm(one, path);
      await warm(two, path);
      await client().begin(async (tx) => {
        await tx`update product_texts set name = ${`Cut ${round}`} where product_id = ${world.other.id}`;
        await tx`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'passlane-pages'`;
      });
      for (const shop of [one, two])
        expect(await within(1000, () => shows(shop, `Cut ${round}`)), `round ${round}`).not.toBeNull();
    }
  });

  it("serves no cached page after two seconds of silence, and caches again by itself", async () => {
    await warm(two, path);
    line.set("drop");
    await rename("In the silence");
    const late = await within(3000, () => shows(two, "In the silence"));
    expect(late).not.toBeNull();
    expect(late).toBeLessThan(2600);
    const got = await ask(two.address, path);
    expect([got.status, cacheStatus(got)]).toEqual([200, undefined]);
    line.set("none");
    expect(
      await within(15_000, async () => cacheStatus(await ask(two.address, path)) === "hit"),
    ).not.toBeNull();
  });
});
