import { setTimeout as sleep } from "node:timers/promises";
import { type SQL, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { client, closeDatabase, db } from "@/db/client";
import { SearchProductsInput } from "@/lib/catalog/contract";
import { layOutDocuments } from "@/lib/catalog/search/commands-layout";
import { searchProducts } from "@/lib/catalog/search/queries";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { importCategory, importLines, product, text } from "./catalog-lines";

afterAll(closeDatabase);

const PRODUCTS = 300;
const ALL = { documents: 100, displaced: 0.03 };

const found = async (keyword: string) =>
  (await searchProducts(SearchProductsInput.parse({ keyword, size: 100 }), "en")).items.map(
    ({ slug }) => slug,
  );
const displaced = async () =>
  (await client()<{ share: number }[]>`select documents_displaced() as share`)[0]!.share;

/** As if imports had come since. */
const scatter = () => client()`
  update product_documents d set sort_num = p.sort_num from products p where p.id = d.product_id and p.id % 3 = 0`;

/** All that Postgres knows of the table, but the names of what must not be null. */
const known = () => client()`
  select a.attname as name, format_type(a.atttypid, a.atttypmod) as of, a.attnotnull::text as need, a.attstorage::text as kept,
    a.attstattarget::text as counted from pg_attribute a
    where a.attrelid = 'product_documents'::regclass and a.attnum > 0
  union all select 'table', array_to_string(c.reloptions, ','), c.relpersistence::text, c.relkind::text,
    array_to_string(c.relacl, ',') from pg_class c where c.oid = 'product_documents'::regclass
  union all select c.relname, pg_get_indexdef(i.indexrelid), i.indisprimary::text, i.indisvalid::text, i.indisready::text
    from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'product_documents'::regclass
  union all select c.conname, pg_get_constraintdef(c.oid), c.convalidated::text, c.contype::text, null
    from pg_constraint c where c.conrelid = 'product_documents'::regclass and c.contype <> 'n'
  union all select t.tgname, t.tgenabled::text, null, null, null from pg_trigger t
    where t.tgrelid = 'product_documents'::regclass and not t.tgisinternal
  order by 1, 2`;

describe("documents that lie as they came", () => {
  beforeAll(async () => {
    await importCategory();
    const wanted = (n: number) => (n * 7919) % PRODUCTS;
    await importLines(
      Array.from({ length: PRODUCTS }, (_, n) => product({ slug: `strewn-${n}`, sort_num: wanted(n) })),
    );
  }, 60_000);

  it("are left where there are few, or few lie far from their places", async () => {
    const table = () => client()`select 'product_documents'::regclass::oid as oid`;
    const before = await table();
    expect(await displaced()).toBeGreaterThan(0.2);
    expect(await layOutDocuments()).toBe(false);
    expect(await layOutDocuments({ documents: 100, displaced: 0.5 })).toBe(false);
    expect(await table()).toEqual(before);
  });

  it("are laid in the order of what is wanted: the same documents, the same table in all else", async () => {
    const documents = () => client()`select * from product_documents order by product_id`;
    const [before, was, results] = [await documents(), await known(), await found("tool")];
    expect(results.length).toBeGreaterThan(50);
    expect(await layOutDocuments(ALL)).toBe(true);
    expect(await displaced()).toBe(0);
    expect(await documents()).toEqual(before);
    expect(await known()).toEqual(was);
    expect(await found("tool")).toEqual(results);
    expect(await layOutDocuments(ALL)).toBe(false);
  });

  it("are searched meanwhile; an import waits its turn", async () => {
    await scatter();
    const results = await found("tool");
    let laid = false;
    const laying = layOutDocuments(ALL).finally(() => {
      laid = true;
    });
    const searching = Promise.all(
      Array.from({ length: 3 }, async () => {
        const seen = new Set<string>();
        do seen.add(JSON.stringify(await found("tool")));
        while (!laid);
        return [...seen];
      }),
    );
    // The least wanted, and named otherwise: the first hundred stay as they are.
    await importLines([
      product({
        slug: "late",
        sort_num: -1000,
        texts: { en: text({ name: "Latecomer", tagline: "Late." }) },
      }),
    ]);
    expect(await laying).toBe(true);
    expect(await searching).toEqual(Array.from({ length: 3 }, () => [JSON.stringify(results)]));
    expect(await found("latecomer")).toEqual(["late"]);
  });

  it("wait for an import that is not through, and for one who reads for long; nobody waits behind them", async () => {
    await scatter();
    const ended: string[] = [];
    const holding = (name: string, statement: SQL, ms: number) =>
      db.transaction(async (tx) => {
        await tx.execute(statement);
        await sleep(ms);
        ended.push(name);
      });
    const importing = holding(
      "import",
      sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.catalogImport})`,
      600,
    );
    const reading = holding("reader", sql`select count(*) from product_documents`, 4000);
    await sleep(100);
    const laying = layOutDocuments(ALL).then((laid) => ended.push(`laid: ${laid}`));
    const took: number[] = [];
    while (!ended.includes("reader")) {
      const begun = performance.now();
      expect(await found("tool")).toHaveLength(100);
      took.push(performance.now() - begun);
    }
    // Behind each trial searches wait for a fifth of a second: two or three of them, of the hundreds that are asked.
    expect(took.filter((ms) => ms > 150).length).toBeLessThan(took.length / 4);
    await Promise.all([importing, reading, laying]);
    expect(ended).toEqual(["import", "reader", "laid: true"]);
    expect(await displaced()).toBe(0);
  });

  it("wait for whoever looks at the shop as it was before: the copy is empty for them", async () => {
    await scatter();
    const table = () => client()`select 'product_documents'::regclass::oid as oid`;
    const before = await table();
    let laying: Promise<boolean> | undefined;
    await db.transaction(
      async (tx) => {
        await tx.execute(sql`select 1`);
        laying = layOutDocuments(ALL);
        const copy = () => client()`select from pg_class where relname = 'laid_documents_words'`;
        while ((await copy()).length === 0) await sleep(20);
        await sleep(1500);
        expect(await table()).toEqual(before);
        const seen = await tx.execute(sql`
          select from search_candidates('tool', null, null, null, false, null, null, null, 50, null)`);
        expect(seen).toHaveLength(50);
      },
      { isolationLevel: "repeatable read" },
    );
    expect(await laying).toBe(true);
    expect(await table()).not.toEqual(before);
  });

  it("are left when others are too long about it, and no copy with them; one that was left is made anew", async () => {
    await scatter();
    const copies = () => client()`select from pg_class where relname = 'laid_documents'`;
    const hasty = { ...ALL, patienceMs: 300 };
    await db.transaction(async (tx) => {
      await tx.execute(sql`select count(*) from product_documents`);
      expect(await layOutDocuments(hasty)).toBe(false);
      expect(await copies()).toHaveLength(0);
    });
    await db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.catalogImport})`);
      expect(await layOutDocuments(hasty)).toBe(false);
    });
    await client()`create table laid_documents (of_one_that_died int)`;
    expect((await Promise.all([layOutDocuments(ALL), layOutDocuments(ALL)])).sort()).toEqual([false, true]);
    expect(await copies()).toHaveLength(0);
    expect(await displaced()).toBe(0);
  });
});
