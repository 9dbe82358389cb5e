import type postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { client, closeDatabase } from "@/db/client";
import {
  type CreatedProduct,
  createCategory,
  createDeal,
  createKeys,
  createProduct,
} from "@/db/factories/catalog";
import { ListProductsInput } from "@/lib/catalog/contract";
import { listProducts } from "@/lib/catalog/queries";
import { SEED, seeded } from "../faults/shopper";

/*
 * Lists are read from `listing_index`, which is brought up to date by whoever reads next (db/functions/refresh_listing_index.sql). Whatever was
 * written at once, in whatever order it was committed, it must end as if all were written anew.
 */
type Sql = postgres.ISql;
const LANES = 6;
const WRITES = 40;

let categories: string[];
let made: CreatedProduct[];
beforeAll(async () => {
  categories = [await createCategory(), await createCategory()];
  made = [];
  for (let n = 0; n < 6; n += 1)
    made.push(
      await createProduct({
        category: categories[n % 2],
        plans: [{ keys: 2 }, { type: "day", priceCents: 300 }],
      }),
    );
});
afterAll(closeDatabase);

const offersOf = (sql: Sql) => sql`select to_jsonb(o) as offer from listing_index o order by plan_id`;
const countsOf = (sql: Sql) =>
  sql`select kind, name, total from catalog_counts where total <> 0 order by kind, name`;
const countedAnew = (sql: Sql) => sql`
  select d.kind, d.name, count(*)::int as total from listing_index o cross join lateral (values
    ('category', o.category, o.best), ('vendor', o.vendor, o.best), ('plan', '', true)) d(kind, name, counts)
  where d.counts group by d.kind, d.name
  union all select 'vendors', '', count(distinct vendor)::int from listing_index where best order by kind, name`;

/** Something that changes what is offered, in a transaction that lasts a moment; some of them are undone. */
async function write(random: () => number): Promise<void> {
  const sql = client();
  const below = (n: number) => Math.floor(random() * n);
  const { id, plans } = made[below(made.length)]!;
  const plan = plans[below(plans.length)]!.id;
  const works = [
    () => sql`update plans set price_cents = ${500 + below(2000)} where id = ${plan}`,
    () => sql`update plans set listed = ${random() < 0.8} where id = ${plan}`,
    () => sql`update products set listed = ${random() < 0.8} where id = ${id}`,
    () =>
      sql`update products set sort_num = ${below(9)}, category = ${categories[below(2)]!} where id = ${id}`,
    () => sql`update deals set ended_at = shop_now() where plan_id = ${plan} and ended_at is null`,
    () => sql`update deals set claimed = quantity where plan_id = ${plan} and ended_at is null`,
    () =>
      sql`update keys set redeem_by = shop_now() + make_interval(secs => ${below(3) - 1}) where plan_id = ${plan}`,
    () => sql`update keys set redeem_by = null where plan_id = ${plan}`,
  ];
  const kind = below(works.length + 2);
  if (kind === works.length) return void (await createKeys(plan, 1));
  if (kind > works.length)
    return void (await createDeal(plan, { endsIn: `${1 + below(5)} seconds` }).catch(() => {}));
  const undone = random() < 0.2;
  await sql
    .begin(async (tx) => {
      const work = works[kind]!;
      await tx.unsafe("select pg_sleep($1)", [random() / 100]);
      await tx`${work()}`;
      await tx.unsafe("select pg_sleep($1)", [random() / 50]);
      if (undone) throw new Error("undone");
    })
    .catch((error: Error) => {
      if (error.message !== "undone") throw error;
    });
}

it("many writers and readers at once leave the offers as if all were written anew", async () => {
  const random = seeded(SEED);
  const sql = client();
  let writing = LANES;
  const writers = Array.from({ length: LANES }, async () => {
    for (let n = 0; n < WRITES; n += 1) await write(random);
    writing -= 1;
  });
  let reads = 0;
  const reader = async () => {
    for (; writing > 0; reads += 1)
      await listProducts(ListProductsInput.parse({ category: categories[0] }), "en");
  };
  await Promise.all([...writers, reader(), reader()]);
  // In one transaction, whose time stands still: deals end meanwhile.
  await sql.begin(async (tx) => {
    await tx`select refresh_listing_index()`;
    const [settled, counts] = [await offersOf(tx), await countsOf(tx)];
    expect(settled.length).toBeGreaterThan(0);
    expect(await tx`select from listing_index_queue`).toHaveLength(0);
    expect(counts).toEqual(await countedAnew(tx));
    await tx`select write_listing_index(null)`;
    expect(await offersOf(tx)).toEqual(settled);
  });
  console.log(
    `offers: ${LANES * WRITES} writes by ${LANES} at once, ${reads} lists read meanwhile: as written anew, seed=${SEED}`,
  );
});

it("an offer that nobody was told of is seen by the comparison", async () => {
  const sql = client();
  const plan = (await createProduct()).plans[0]!.id;
  await sql.begin(async (tx) => {
    await tx`select refresh_listing_index()`;
    const before = await offersOf(tx);
    await tx`alter table plans disable trigger plans_queue_listings_update`;
    await tx`update plans set price_cents = price_cents + 1 where id = ${plan}`;
    await tx`alter table plans enable trigger plans_queue_listings_update`;
    await tx`select refresh_listing_index()`;
    expect(await offersOf(tx)).toEqual(before);
    await tx`select write_listing_index(null)`;
    expect(await offersOf(tx)).not.toEqual(before);
  });
});
