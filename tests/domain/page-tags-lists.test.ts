import { sql } from "drizzle-orm";
import { afterAll, expect, it } from "vitest";
import { client, closeDatabase, db } from "@/db/client";
import { createProduct } from "@/db/factories/catalog";
import { refreshListingIndex } from "@/lib/catalog/listing/queries";
import { listProductsBySlug } from "@/lib/catalog/queries";
import { UNSETTLED, withTags } from "@/lib/platform/page-cache/tags";

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

it("a list read during another reader's index refresh shows the refreshed products", async () => {
  const { slug, plans } = await createProduct({ plans: [{ keys: 3, priceCents: 1000 }] });
  await listProductsBySlug([slug], "en");
  await db.execute(sql`update plans set price_cents = 1700 where id = ${plans[0]!.id}`);
  const [refreshed, mayCommit] = [createDeferred(), createDeferred()];
  const refreshing = client().begin(async (tx) => {
    await refreshListingIndex(tx as never);
    refreshed.done();
    await mayCommit.promise;
  });
  await refreshed.promise;
  const listing = collectTags(() => listProductsBySlug([slug], "en"));
  await expect
    .poll(
      async () => (await client()`select from pg_locks where locktype = 'advisory' and not granted`).length,
    )
    .toBe(1);
  mayCommit.done();
  await refreshing;
  const { value, tags } = await listing;
  expect(value.items.map(({ price }) => price)).toEqual([17]);
  expect(tags.has(UNSETTLED)).toBe(false);
});

it("a page is tagged unsettled when its lists cannot be refreshed yet", async () => {
  const { id, slug, plans } = await createProduct({ plans: [{ keys: 3, priceCents: 1000 }] });
  await listProductsBySlug([slug], "en");
  await db.execute(sql`update plans set price_cents = 1700 where id = ${plans[0]!.id}`);
  const [locked, mayCommit] = [createDeferred(), createDeferred()];
  const lockingWrite = client().begin(async (tx) => {
    await tx`select from products where id = ${id} for update`;
    locked.done();
    await mayCommit.promise;
  });
  await locked.promise;
  expect((await collectTags(() => listProductsBySlug([slug], "en"))).tags.has(UNSETTLED)).toBe(true);
  mayCommit.done();
  await lockingWrite;
  const { value, tags } = await collectTags(() => listProductsBySlug([slug], "en"));
  expect([value.items[0]?.price, tags.has(UNSETTLED)]).toEqual([17, false]);
});
