import { sql } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { client, closeDatabase, db, pool } from "@/db/client";
import { createDeal, createKeys, createProduct } from "@/db/factories/catalog";
import { getHomePage } from "@/lib/catalog/listing/get-home-page";
import { listProductsBySlug } from "@/lib/catalog/listing/list-products";
import { refreshListingIndex } from "@/lib/catalog/listing/refresh-listing-index";
import { UNSETTLED } from "@/lib/platform/page-cache/tags";
import { withTags } from "../setup/page-tags";

afterAll(closeDatabase);

async function collectTags<T>(read: () => Promise<T>): Promise<{ value: T; tags: Set<string> }> {
  const tags = new Set<string>();
  return { value: await withTags(tags, read), tags };
}

const createDeferred = () => {
  let done!: () => void;
  const promise = new Promise<void>((resolve) => {
    done = resolve;
  });
  return { promise, done };
};

const readPrice = async (slug: string) => {
  const { value, tags } = await collectTags(() => listProductsBySlug([slug], "en"));
  return [value.items[0]?.price, tags.has(UNSETTLED)];
};
const countQueue = async () => (await client()`select from listing_index_queue`).length;

it("a list shows a change as soon as it is committed, because the change itself writes the listing index", async () => {
  const { slug, plans } = await createProduct({ plans: [{ keys: 3, priceCents: 1000 }] });
  expect(await readPrice(slug)).toEqual([10, false]);
  await db.execute(sql`update plans set price_cents = 1700 where id = ${plans[0]!.id}`);
  expect(await countQueue()).toBe(0);
  expect(await readPrice(slug)).toEqual([17, false]);
});

it("lists are read without a write, even when time has changed them", async () => {
  const { slug, plans } = await createProduct({ plans: [{ keys: 3, priceCents: 1000 }] });
  await createDeal(plans[0]!.id, { priceCents: 500, endsIn: "4 seconds" });
  expect(await readPrice(slug)).toEqual([5, false]);
  await client()`
    select pg_sleep(greatest(0, extract(epoch from ends_at - shop_now()))::float + 0.1) from deals where plan_id = ${plans[0]!.id}`;
  // The row's version changes with each write.
  const getVersion = async () => {
    const [row] = await client()<{ version: string }[]>`
      select xmin::text || ctid::text as version from listing_index where plan_id = ${plans[0]!.id}`;
    return row!.version;
  };
  const before = await getVersion();
  expect((await readPrice(slug))[1]).toBe(true); // not stored, because the worker has not refreshed the index yet
  await collectTags(() => getHomePage("en"));
  expect(await getVersion()).toBe(before);
  expect(await refreshListingIndex()).toBe(true);
  expect(await readPrice(slug)).toEqual([10, false]);
  expect(await refreshListingIndex()).toBe(false);
});

it("a product locked by another transaction is indexed by that transaction or by the worker", async () => {
  const { id, slug, plans } = await createProduct({ plans: [{ keys: 3, priceCents: 1000 }] });
  const [locked, mayCommit] = [createDeferred(), createDeferred()];
  const lockingWrite = pool().begin(async (tx) => {
    await tx`select from products where id = ${id} for update`;
    locked.done();
    await mayCommit.promise;
  });
  await locked.promise;
  await db.execute(sql`update plans set price_cents = 1700 where id = ${plans[0]!.id}`);
  expect((await readPrice(slug))[1]).toBe(true);
  mayCommit.done();
  await lockingWrite;
  expect(await refreshListingIndex()).toBe(true);
  expect(await readPrice(slug)).toEqual([17, false]);
});

it("the last key of two concurrent sales takes the product out of stock in the lists", async () => {
  const { slug, plans } = await createProduct({ plans: [{ priceCents: 1000 }] });
  const plan = plans[0]!.id;
  await createKeys(plan, 2);
  const sell = (random: number) =>
    pool().begin(async (tx) => {
      await tx`update keys set state = 'revoked' where id = (
        select id from keys where plan_id = ${plan} and state = 'available' limit 1 for update skip locked)`;
      await tx.unsafe("select pg_sleep($1)", [random]);
    });
  await Promise.all([sell(0.05), sell(0.06)]);
  const { value, tags } = await collectTags(() => listProductsBySlug([slug], "en"));
  expect([value.items[0]?.stock, tags.has(UNSETTLED)]).toEqual([0, false]);
  const [row] = await client()<{ inStock: boolean }[]>`
    select in_stock as "inStock" from listing_index where plan_id = ${plan}`;
  expect(row?.inStock).toBe(false);
});
