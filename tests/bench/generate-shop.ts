import { once } from "node:events";
import type { Writable } from "node:stream";
import postgres from "postgres";
import { documentOf } from "./generate-documents";
import { CATEGORIES, type Made, productsOf } from "./generate-products";

/**
 * Fills an empty database with products. Each goes straight to Postgres (COPY), so memory does not grow with their
 * number; what grows is the list of Latin words, which has an end as any language has.
 */

const TABLES = {
  products: "id, slug, vendor, category, image, sort_num, activation, import_hash",
  product_texts: "product_id, locale, name, tagline, description, includes",
  plans:
    "id, product_id, type, duration_days, price_cents, purchase_limit, availability, releases_at, region, position",
  keys: "id, plan_id, sealed, vault_key_id, fingerprint, redeem_by",
  deals: "id, plan_id, price_cents, ends_at, quantity",
  search_documents: "product_id, sort_num, document",
};
type Table = keyof typeof TABLES;
const BATCH = 1000;

const categoryName = (n: number) => [`Field ${n}`, `ジャンル${n}`, `类别${n}`];
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const line = (...values: (string | number | null)[]) =>
  `${values.map((value) => value ?? "\\N").join("\t")}\n`;

/** The rows of a product, as lines of COPY. Its texts hold neither tabs nor backslashes. */
function linesOf(product: Made, put: (table: Table, text: string) => void, words: Map<string, number>) {
  const { id, slug, vendor, category, sortNum, texts, plans } = product;
  put(
    "products",
    line(id, slug, vendor, category, "placeholder", sortNum, '{"url":null,"steps":{}}', "bench"),
  );
  for (const [locale, text] of Object.entries(texts))
    if (text) put("product_texts", line(id, locale, text.name, text.tagline, text.description, "[]"));
  plans.forEach((plan, position) => {
    const release = plan.availability === "pre_order" ? inDays(90) : null;
    const limit = plan.cents === 0 ? 1 : null;
    const { type, days, cents, availability } = plan;
    put(
      "plans",
      line(plan.id, id, type, days, cents, limit, availability, release, '["worldwide"]', position),
    );
    const redeemBy = plan.redeemIn === null ? null : inDays(plan.redeemIn);
    for (let n = 0; n < plan.keys; n++) {
      const key = `bench-${plan.id}-${n}`;
      put("keys", line(key, plan.id, "\\\\x00", "bench", key, redeemBy));
    }
    if (plan.deal)
      put("deals", line(`bench-${plan.id}`, plan.id, plan.deal.cents, inDays(plan.deal.days), 1000));
  });
  const names = categoryName(Number(category.slice("bench-".length)));
  const { document, ranks, tokens } = documentOf(product, names);
  put("search_documents", line(id, sortNum, document));
  for (const token of tokens)
    if (/^[a-z][a-z0-9]{2,29}$/.test(token))
      words.set(token, Math.min(words.get(token) ?? 2, ranks.get(token) ?? 2));
}

type Options = { url: string; count: number; seed?: number; say?: (line: string) => void };

export async function generateShop({ url, count, seed = 1, say = console.log }: Options): Promise<void> {
  const begun = Date.now();
  const told = (what: string) =>
    say(
      `${((Date.now() - begun) / 1000).toFixed(0)} s: ${what} (rss ${Math.round(process.memoryUsage.rss() / 1e6)} MB)`,
    );
  const sql = postgres(url, {
    max: Object.keys(TABLES).length + 1,
    onnotice: () => {},
    // Rows come whole and consistent: neither foreign keys nor the triggers of single writes have work here.
    connection: {
      session_replication_role: "replica",
      synchronous_commit: "off",
      maintenance_work_mem: "1GB",
    },
  });
  try {
    const indexes = await dropIndexes(sql);
    await makeCategories(sql);
    const words = await copyProducts(sql, { count, seed, told });
    await copyWords(sql, words);
    told("rows are in");
    await sql`select setval(pg_get_serial_sequence('products', 'id'), (select max(id) from products))`;
    await sql`select setval(pg_get_serial_sequence('plans', 'id'), (select max(id) from plans))`;
    for (const { table, statement } of indexes) if (table === "keys") await sql.unsafe(statement);
    await sql.unsafe("vacuum (analyze) keys, plans, products, deals, product_texts, categories");
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = origin`; // counts are kept by a trigger
      await tx`select write_listing_index(null)`;
    });
    told("the listing index is written");
    for (const { table, statement } of indexes) if (table !== "keys") await sql.unsafe(statement);
    told("indexes are made");
    await sql.unsafe("vacuum (analyze) search_documents, listing_index, search_vocabulary, catalog_counts");
    await compareDocuments(sql);
    told("all is done");
  } finally {
    await sql.end();
  }
}

async function makeCategories(sql: postgres.Sql): Promise<void> {
  for (let n = 0; n < CATEGORIES; n++) {
    const [en, ja, zh] = categoryName(n);
    await sql`insert into categories (slug, sort_num, hue, names, import_hash)
      values (${`bench-${n}`}, ${n}, ${(n * 9) % 360}, ${sql.json({ en: en!, ja: ja!, zh: zh! })}, 'bench')`;
  }
}

type Copying = { count: number; seed: number; told: (what: string) => void };

/** Gives the Latin words that occur, with their ranks: as many as the vocabulary has, however many products. */
async function copyProducts(sql: postgres.Sql, { count, seed, told }: Copying): Promise<Map<string, number>> {
  const names = Object.keys(TABLES) as Table[];
  const copies = new Map<Table, Writable>();
  for (const table of names)
    copies.set(table, await sql.unsafe(`copy ${table} (${TABLES[table]}) from stdin`).writable());
  const words = new Map<string, number>();
  let waiting: Partial<Record<Table, string>> = {};
  const put = (table: Table, text: string) => {
    waiting[table] = (waiting[table] ?? "") + text;
  };
  const flush = async () => {
    for (const table of names) {
      const text = waiting[table];
      if (text && !copies.get(table)!.write(text)) await once(copies.get(table)!, "drain");
    }
    waiting = {};
  };
  let done = 0;
  for (const product of productsOf(count, seed)) {
    linesOf(product, put, words);
    if (++done % BATCH === 0) await flush();
    if (done % 100_000 === 0) told(`${done} products`);
  }
  await flush();
  await Promise.all(
    [...copies.values()].map(
      (copy) =>
        new Promise<void>((resolve, reject) => {
          copy.once("finish", resolve).once("error", reject);
          copy.end();
        }),
    ),
  );
  return words;
}

async function copyWords(sql: postgres.Sql, words: Map<string, number>): Promise<void> {
  const copy = await sql`copy search_vocabulary (word, rank) from stdin`.writable();
  for (const [word, rank] of words) if (!copy.write(line(word, rank))) await once(copy, "drain");
  await new Promise<void>((resolve, reject) => {
    copy.once("finish", resolve).once("error", reject);
    copy.end();
  });
}

/** Indexes that hold no constraint are made when the rows are in: that is several times quicker. */
async function dropIndexes(sql: postgres.Sql): Promise<{ table: string; statement: string }[]> {
  const tables = [...Object.keys(TABLES), "listing_index", "search_vocabulary"];
  const indexes = await sql<{ name: string; table: string; statement: string }[]>`
    select i.indexname as name, i.tablename as table, i.indexdef as statement from pg_indexes i
    where i.schemaname = 'public' and i.tablename = any(${tables})
      and not exists (select from pg_constraint c where c.conindid = i.indexname::regclass)`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  return indexes;
}

/** The documents made here must be those that the shop would write. */
async function compareDocuments(sql: postgres.Sql): Promise<void> {
  const [sample] = await sql<{ ids: number[]; before: string }[]>`
    select array_agg(product_id) as ids, md5(string_agg(d::text, '' order by product_id)) as before
    from (select * from search_documents where product_id % 997 = 5 limit 100) d`;
  if (!sample?.ids) return;
  await sql`select refresh_search_documents(${sample.ids}::int[])`;
  const [now] = await sql<{ after: string }[]>`
    select md5(string_agg(d::text, '' order by product_id)) as after from search_documents d
    where product_id = any(${sample.ids}::int[])`;
  if (now?.after !== sample.before) throw new Error("The documents are not those that the shop writes.");
}
