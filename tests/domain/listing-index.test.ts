import type postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closeDatabase, pool } from "@/db/client";
import {
  type CreatedProduct,
  createCategory,
  createDeal,
  createKeys,
  createProduct,
  createSinglePlan,
} from "@/db/factories/catalog";
import { ListProductsInput } from "@/lib/catalog/contract";
import { listProducts } from "@/lib/catalog/listing/list-products";
import { refreshListingIndex } from "@/lib/catalog/listing/refresh-listing-index";
import { SEED, seeded } from "@/tests/setup/shopper";

/**
 * Lists read `listing_index`, which each change writes at its commit (db/functions/settle_listing_index.sql), and the
 * worker when time changes it. After concurrent writes, committed in any order, it must equal an index that is built
 * from scratch.
 */
type Sql = postgres.ISql;
const WRITERS = 6;
const WRITES_EACH = 40;

let categories: string[];
let products: CreatedProduct[];
beforeAll(async () => {
  categories = [await createCategory(), await createCategory()];
  products = [];
  for (let n = 0; n < 6; n += 1)
    products.push(
      await createProduct({
        category: categories[n % 2],
        plans: [{ keys: 2 }, { type: "day", priceCents: 300 }],
      }),
    );
});
afterAll(closeDatabase);

const listOffers = (sql: Sql) => sql`select to_jsonb(o) as offer from listing_index o order by plan_id`;
const listCounts = (sql: Sql) =>
  sql`select kind, name, total from catalog_counts where total <> 0 order by kind, name`;
const computeCounts = (sql: Sql) => sql`
  select d.kind, d.name, count(*)::int as total from listing_index o cross join lateral (values
    ('category', o.category, o.best), ('vendor', o.vendor, o.best), ('plan', '', true)) d(kind, name, counts)
  where d.counts group by d.kind, d.name
  union all select 'vendors', '', count(distinct vendor)::int from listing_index where best order by kind, name`;

/** A random change to plans, products, deals or keys, in a slow transaction; a fifth of them is rolled back. */
async function applyRandomWrite(random: () => number): Promise<void> {
  const sql = pool();
  const randomBelow = (n: number) => Math.floor(random() * n);
  const { id, plans } = products[randomBelow(products.length)]!;
  const plan = plans[randomBelow(plans.length)]!.id;
  const writes = [
    () => sql`update plans set price_cents = ${500 + randomBelow(2000)} where id = ${plan}`,
    () => sql`update plans set listed = ${random() < 0.8} where id = ${plan}`,
    () => sql`update products set published = ${random() < 0.8} where id = ${id}`,
    () =>
      sql`update products set sort_num = ${randomBelow(9)}, category = ${categories[randomBelow(2)]!} where id = ${id}`,
    () => sql`update deals set ended_at = shop_now() where plan_id = ${plan} and ended_at is null`,
    () => sql`update deals set claimed = quantity where plan_id = ${plan} and ended_at is null`,
    () =>
      sql`update keys set redeem_by = shop_now() + make_interval(days => 14, secs => ${randomBelow(3) - 1}) where plan_id = ${plan}`,
    () => sql`update keys set redeem_by = null where plan_id = ${plan}`,
  ];
  const kind = randomBelow(writes.length + 2);
  if (kind === writes.length) return void (await createKeys(plan, 1));
  if (kind > writes.length)
    return void (await createDeal(plan, { endsIn: `${1 + randomBelow(5)} seconds` }).catch(() => {}));
  const dryRun = random() < 0.2;
  await sql
    .begin(async (tx) => {
      const statement = writes[kind]!;
      await tx.unsafe("select pg_sleep($1)", [random() / 100]);
      await tx`${statement()}`;
      await tx.unsafe("select pg_sleep($1)", [random() / 50]);
      if (dryRun) throw new Error("rolled back");
    })
    .catch((error: Error) => {
      if (error.message !== "rolled back") throw error;
    });
}

it("the listing index after concurrent writes and reads equals a full rebuild", async () => {
  const random = seeded(SEED);
  const sql = pool();
  let activeWriters = WRITERS;
  const writers = Array.from({ length: WRITERS }, async () => {
    for (let n = 0; n < WRITES_EACH; n += 1) await applyRandomWrite(random);
    activeWriters -= 1;
  });
  let reads = 0;
  const readLists = async () => {
    for (; activeWriters > 0; reads += 1)
      await listProducts(ListProductsInput.parse({ category: categories[0] }), "en");
  };
  const tick = async () => {
    for (; activeWriters > 0; await refreshListingIndex()) await sql`select pg_sleep(0.05)`;
  };
  await Promise.all([...writers, readLists(), readLists(), tick()]);
  // In one transaction, in which now() is constant, because deals end meanwhile.
  await sql.begin(async (tx) => {
    await tx`select refresh_listing_index()`;
    const [offers, counts] = [await listOffers(tx), await listCounts(tx)];
    expect(offers.length).toBeGreaterThan(0);
    expect(await tx`select from listing_index_queue`).toHaveLength(0);
    expect(counts).toEqual(await computeCounts(tx));
    await tx`select write_listing_index(null)`;
    expect(await listOffers(tx)).toEqual(offers);
  });
  console.log(
    `listing index: ${WRITERS * WRITES_EACH} writes by ${WRITERS} writers, ${reads} concurrent list reads, equals a rebuild, seed=${SEED}`,
  );
});

it("a change that bypasses the queue differs from a full rebuild", async () => {
  const sql = pool();
  const plan = (await createSinglePlan()).id;
  await sql.begin(async (tx) => {
    await tx`select refresh_listing_index()`;
    const before = await listOffers(tx);
    await tx`alter table plans disable trigger plans_queue_listings_update`;
    await tx`update plans set price_cents = price_cents + 1 where id = ${plan}`;
    await tx`alter table plans enable trigger plans_queue_listings_update`;
    await tx`select refresh_listing_index()`;
    expect(await listOffers(tx)).toEqual(before);
    await tx`select write_listing_index(null)`;
    expect(await listOffers(tx)).not.toEqual(before);
  });
});
