import { once } from "node:events";
import type { Writable } from "node:stream";
import postgres from "postgres";
import { createDocument } from "./generate-documents";
import { CATEGORIES, type GeneratedProduct, generateProducts } from "./generate-products";

/**
 * Fills an empty database with products. They are streamed to Postgres with COPY, so memory does not grow with their
 * number. Only the list of Latin words grows, and it is limited.
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

/** Writes the rows of a product as lines of COPY. The texts contain neither tabs nor backslashes. */
function writeProduct(
  product: GeneratedProduct,
  write: (table: Table, text: string) => void,
  words: Map<string, number>,
) {
  const { id, slug, vendor, category, sortNum, texts, plans } = product;
  write(
    "products",
    line(id, slug, vendor, category, "placeholder", sortNum, '{"url":null,"steps":{}}', "bench"),
  );
  for (const [locale, text] of Object.entries(texts))
    if (text) write("product_texts", line(id, locale, text.name, text.tagline, text.description, "[]"));
  plans.forEach((plan, position) => {
    const release = plan.availability === "pre_order" ? inDays(90) : null;
    const limit = plan.cents === 0 ? 1 : null;
    const { type, days, cents, availability } = plan;
    write(
      "plans",
      line(plan.id, id, type, days, cents, limit, availability, release, '["worldwide"]', position),
    );
    const redeemBy = plan.redeemInDays === null ? null : inDays(plan.redeemInDays);
    for (let n = 0; n < plan.keys; n++) {
      const key = `bench-${plan.id}-${n}`;
      write("keys", line(key, plan.id, "\\\\x00", "bench", key, redeemBy));
    }
    if (plan.deal)
      write("deals", line(`bench-${plan.id}`, plan.id, plan.deal.cents, inDays(plan.deal.days), 1000));
  });
  const names = categoryName(Number(category.slice("bench-".length)));
  const { document, ranks, tokens } = createDocument(product, names);
  write("search_documents", line(id, sortNum, document));
  for (const token of tokens)
    if (/^[a-z][a-z0-9]{2,29}$/.test(token))
      words.set(token, Math.min(words.get(token) ?? 2, ranks.get(token) ?? 2));
}

type Options = { url: string; count: number; seed?: number; say?: (line: string) => void };

export async function generateCatalog({ url, count, seed = 1, say = console.log }: Options): Promise<void> {
  const startedAt = Date.now();
  const logProgress = (step: string) =>
    say(
      `${((Date.now() - startedAt) / 1000).toFixed(0)} s: ${step} (rss ${Math.round(process.memoryUsage.rss() / 1e6)} MB)`,
    );
  const sql = postgres(url, {
    max: Object.keys(TABLES).length + 1,
    onnotice: () => {},
    // The rows are consistent, so foreign keys and triggers are skipped.
    connection: {
      session_replication_role: "replica",
      synchronous_commit: "off",
      maintenance_work_mem: "1GB",
    },
  });
  try {
    const indexes = await dropIndexes(sql);
    await createCategories(sql);
    // Each product belongs to a merchant, which this trigger finds or creates.
    await sql`alter table products enable always trigger products_merchant`;
    const words = await copyProducts(sql, { count, seed, logProgress });
    await sql`alter table products enable trigger products_merchant`;
    await copyWords(sql, words);
    logProgress("rows copied");
    await sql`select setval(pg_get_serial_sequence('products', 'id'), (select max(id) from products))`;
    await sql`select setval(pg_get_serial_sequence('plans', 'id'), (select max(id) from plans))`;
    for (const { table, statement } of indexes) if (table === "keys") await sql.unsafe(statement);
    await sql.unsafe("vacuum (analyze) keys, plans, products, deals, product_texts, categories");
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = origin`; // a trigger maintains the counts
      await tx`select write_listing_index(null)`;
    });
    logProgress("listing index written");
    for (const { table, statement } of indexes) if (table !== "keys") await sql.unsafe(statement);
    logProgress("indexes created");
    await sql.unsafe("vacuum (analyze) search_documents, listing_index, search_vocabulary, catalog_counts");
    await compareDocuments(sql);
    logProgress("done");
  } finally {
    await sql.end();
  }
}

async function createCategories(sql: postgres.Sql): Promise<void> {
  for (let n = 0; n < CATEGORIES; n++) {
    const [en, ja, zh] = categoryName(n);
    await sql`insert into categories (slug, sort_num, hue, names, import_hash)
      values (${`bench-${n}`}, ${n}, ${(n * 9) % 360}, ${sql.json({ en: en!, ja: ja!, zh: zh! })}, 'bench')`;
  }
}

type CopyOptions = { count: number; seed: number; logProgress: (step: string) => void };

/** Copies the products and returns the Latin words that occur, with their ranks. */
async function copyProducts(
  sql: postgres.Sql,
  { count, seed, logProgress }: CopyOptions,
): Promise<Map<string, number>> {
  const names = Object.keys(TABLES) as Table[];
  const copies = new Map<Table, Writable>();
  for (const table of names)
    copies.set(table, await sql.unsafe(`copy ${table} (${TABLES[table]}) from stdin`).writable());
  const words = new Map<string, number>();
  let buffered: Partial<Record<Table, string>> = {};
  const write = (table: Table, text: string) => {
    buffered[table] = (buffered[table] ?? "") + text;
  };
  const flush = async () => {
    for (const table of names) {
      const text = buffered[table];
      if (text && !copies.get(table)!.write(text)) await once(copies.get(table)!, "drain");
    }
    buffered = {};
  };
  let written = 0;
  for (const product of generateProducts(count, seed)) {
    writeProduct(product, write, words);
    if (++written % BATCH === 0) await flush();
    if (written % 100_000 === 0) logProgress(`${written} products`);
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

/** Drops indexes without a constraint; creating them after the rows is several times faster. */
async function dropIndexes(sql: postgres.Sql): Promise<{ table: string; statement: string }[]> {
  const tables = [...Object.keys(TABLES), "listing_index", "search_vocabulary"];
  const indexes = await sql<{ name: string; table: string; statement: string }[]>`
    select i.indexname as name, i.tablename as table, i.indexdef as statement from pg_indexes i
    where i.schemaname = 'public' and i.tablename = any(${tables})
      and not exists (select from pg_constraint c where c.conindid = i.indexname::regclass)`;
  for (const { name } of indexes) await sql`drop index ${sql(name)}`;
  return indexes;
}

/** Throws unless the generated documents equal those of refresh_search_documents. */
async function compareDocuments(sql: postgres.Sql): Promise<void> {
  const [sample] = await sql<{ ids: number[]; before: string }[]>`
    select array_agg(product_id) as ids, md5(string_agg(d::text, '' order by product_id)) as before
    from (select * from search_documents where product_id % 997 = 5 limit 100) d`;
  if (!sample?.ids) return;
  await sql`select refresh_search_documents(${sample.ids}::int[])`;
  const [now] = await sql<{ after: string }[]>`
    select md5(string_agg(d::text, '' order by product_id)) as after from search_documents d
    where product_id = any(${sample.ids}::int[])`;
  if (now?.after !== sample.before)
    throw new Error("The generated documents differ from those of refresh_search_documents.");
}
