import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { storePicture } from "@/lib/catalog/images/commands";
import { PLACEHOLDER } from "@/lib/catalog/images/rules";
import { indexProducts } from "@/lib/catalog/search/commands";
import { synonymQuery } from "@/lib/catalog/search/rules";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { LOCALES } from "@/lib/platform/i18n/locales";
import {
  type ExistingProduct,
  type ImportedTimes,
  jsonSql,
  type ParsedLine,
  type ProductChange,
  storeDeals,
  storePlans,
} from "./commands-plans";
import { refusePriceChanges } from "./commands-prices";
import {
  type CategoryLine,
  type ImportError,
  type ProductLine,
  planKind,
  type SynonymsLine,
} from "./contract";

export type LineResult = "added" | "changed" | "unchanged" | ImportError;

/** Writes a batch in the transaction and returns the results of the lines, in order. */
export async function writeLines(tx: Tx, batch: ParsedLine[]): Promise<LineResult[]> {
  await lockImports(tx);
  const results = new Map<ParsedLine, LineResult>();
  const categories = batch.filter(
    (parsed): parsed is ParsedLine<CategoryLine> => parsed.value.kind === "category",
  );
  if (categories.length > 0) await writeCategories(tx, categories, results);
  const synonyms = batch.filter(
    (parsed): parsed is ParsedLine<SynonymsLine> => parsed.value.kind === "synonyms",
  );
  if (synonyms.length > 0) await writeSynonyms(tx, synonyms, results);
  const products = batch.filter(
    (parsed): parsed is ParsedLine<ProductLine> => parsed.value.kind === "product",
  );
  if (products.length > 0) await writeProducts(tx, products, results);
  return batch.map((parsed) => results.get(parsed) ?? "unchanged");
}

/** Serializes imports; a preview holds the lock until its transaction ends. */
async function lockImports(tx: Tx): Promise<void> {
  await tx.execute(
    sql`select set_config('statement_timeout', '1h', true), set_config('lock_timeout', '1h', true),
      set_config('shop.author', 'import', true)`,
  );
  await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.catalogImport})`);
  await tx.execute(sql`set local statement_timeout to default`);
  await tx.execute(sql`set local lock_timeout to default`);
}

async function writeCategories(
  tx: Tx,
  batch: ParsedLine<CategoryLine>[],
  results: Map<ParsedLine, LineResult>,
): Promise<void> {
  const rows = batch.map(({ value, hash }) => ({ ...value, texts: value.texts ?? {}, import_hash: hash }));
  const written = await tx.execute<{ slug: string; isNew: boolean }>(sql`
    insert into categories as c (slug, sort_num, hue, names, texts, search_terms, import_hash)
    select slug, sort_num, hue, names, texts, search_terms, import_hash
    from jsonb_to_recordset(${jsonSql(rows)}) as r(slug text, sort_num int, hue int, names jsonb, texts jsonb,
      search_terms jsonb, import_hash text)
    on conflict (slug) do update set sort_num = excluded.sort_num, hue = excluded.hue, names = excluded.names,
      texts = excluded.texts, search_terms = excluded.search_terms, import_hash = excluded.import_hash
    where c.import_hash <> excluded.import_hash
    returning slug, (xmax = 0) as "isNew"`);
  for (const { slug, isNew } of written) {
    const parsed = batch.find(({ value }) => value.slug === slug);
    if (parsed) results.set(parsed, isNew ? "added" : "changed");
  }
  await indexProducts(tx, { categories: written.flatMap(({ slug, isNew }) => (isNew ? [] : [slug])) });
}

/** Writes groups of synonyms and updates the search documents of products that the old or the new terms find. */
async function writeSynonyms(
  tx: Tx,
  batch: ParsedLine<SynonymsLine>[],
  results: Map<ParsedLine, LineResult>,
): Promise<void> {
  const rows = batch.map(({ value, hash }) => ({
    slug: value.slug,
    terms: value.terms,
    query: synonymQuery(Object.values(value.terms).flat()),
    import_hash: hash,
  }));
  const affected: string[] = [];
  const previous = await tx.execute<{ slug: string; query: string; import_hash: string }>(sql`
    select slug, query, import_hash from search_synonyms
    where slug in (select jsonb_array_elements_text(${jsonSql(rows.map(({ slug }) => slug))}))`);
  for (const [index, row] of rows.entries()) {
    const old = previous.find(({ slug }) => slug === row.slug);
    if (old?.import_hash === row.import_hash || (!old && row.query === "")) continue;
    results.set(batch[index]!, old ? "changed" : "added");
    affected.push(...[old?.query ?? "", row.query].filter(Boolean));
  }
  await tx.execute(sql`
    delete from search_synonyms where slug in (
      select slug from jsonb_to_recordset(${jsonSql(rows)}) as r(slug text, query text) where query = '')`);
  await tx.execute(sql`
    insert into search_synonyms as s (slug, terms, query, import_hash)
    select slug, terms, query, import_hash
    from jsonb_to_recordset(${jsonSql(rows)}) as r(slug text, terms jsonb, query text, import_hash text) where query <> ''
    on conflict (slug) do update set terms = excluded.terms, query = excluded.query, import_hash = excluded.import_hash
    where s.import_hash <> excluded.import_hash`);
  if (affected.length > 0)
    await tx.execute(sql`
      select refresh_search_documents(array(select d.product_id from search_documents d
        where d.document @@ ${affected.join(" | ")}::tsquery))`);
}

async function writeProducts(tx: Tx, batch: ParsedLine<ProductLine>[], results: Map<ParsedLine, LineResult>) {
  const stored = await findExistingProducts(tx, batch);
  const categories = new Set(stored.categories);
  const changes: ProductChange[] = [];
  for (const parsed of batch) {
    const existing = stored.products.get(parsed.value.slug) ?? null;
    const importMark = existing && parseImportMark(existing.import_hash);
    if (!categories.has(parsed.value.category))
      results.set(parsed, {
        line: parsed.line,
        path: "category",
        message: `There is no category ${parsed.value.category}.`,
      });
    else if (existing && importMark?.hash === parsed.hash) results.set(parsed, "unchanged");
    else {
      results.set(parsed, existing ? "changed" : "added");
      const previousTimes = importMark?.written ?? {};
      changes.push({ parsed, existing, previousTimes, id: existing?.id ?? 0 });
    }
  }
  for (const [change, refusal] of await refusePriceChanges(tx, changes, stored.now)) {
    results.set(change.parsed, refusal);
    changes.splice(changes.indexOf(change), 1);
  }
  if (changes.length === 0) return;
  for (const { parsed } of changes) if (parsed.picture) await storePicture(tx, parsed.picture);
  await storeProducts(tx, changes);
  await storeTexts(tx, changes);
  await storeDeals(tx, changes, await storePlans(tx, changes, stored.now), stored.now);
  await indexProducts(tx, { products: changes.map(({ id }) => id) });
}

/** `products.import_hash`: the content hash and the times as written, which tell an unchanged duration from a new one. */
function parseImportMark(importMark: string): { hash: string; written: Record<string, ImportedTimes> } {
  const [hash = "", ...rest] = importMark.split(" ");
  return { hash, written: rest.length > 0 ? JSON.parse(rest.join(" ")) : {} };
}

function formatImportMark({ hash, value }: ParsedLine<ProductLine>): string {
  const written: Record<string, ImportedTimes> = {};
  for (const plan of value.plans) {
    const times: ImportedTimes = {};
    if (plan.availability === "pre_order" && plan.releases_on) times.releases_on = plan.releases_on;
    if (plan.deal) times.ends_at = plan.deal.ends_at;
    if (Object.keys(times).length > 0) written[planKind(plan)] = times;
  }
  return Object.keys(written).length > 0 ? `${hash} ${JSON.stringify(written)}` : hash;
}

async function findExistingProducts(tx: Tx, batch: ParsedLine<ProductLine>[]) {
  const rows = await tx.execute<{ now: string; categories: string[]; products: ExistingProduct[] }>(sql`
    select to_json(shop_now()) as now, (select json_agg(slug) from categories) as categories,
      (select coalesce(json_agg(json_build_object('id', p.id, 'slug', p.slug, 'import_hash', p.import_hash,
        'plans', (select coalesce(json_agg(json_build_object('id', pl.id, 'releases_at', pl.releases_at,
            'kind', pl.type || coalesce(':' || pl.duration_days, ''),
            'deal', (select d.id from deals d where d.plan_id = pl.id and d.ended_at is null))), '[]')
          from plans pl where pl.product_id = p.id))), '[]')
        from products p where p.slug in (select jsonb_array_elements_text(${jsonSql(batch.map(({ value }) => value.slug))}))
      ) as products`);
  const { now, categories, products } = rows[0]!;
  return {
    now: new Date(now),
    categories: categories ?? [],
    products: new Map(products.map((product) => [product.slug, product])),
  };
}

/** Writes products and sets the ids of new ones, which follow the order of the file. */
async function storeProducts(tx: Tx, changes: ProductChange[]): Promise<void> {
  const rows = changes.map(({ parsed, id }, position) => ({
    ...parsed.value,
    id,
    position,
    image: parsed.picture?.hash ?? PLACEHOLDER,
    import_hash: formatImportMark(parsed),
  }));
  const shape = sql`(id int, position int, slug text, vendor text, vendor_email text, category text, image text, sort_num int,
    activation jsonb, search_terms jsonb, import_hash text)`;
  const newRows = rows.filter(({ id }) => id === 0);
  if (newRows.length > 0) {
    const inserted = await tx.execute<{ id: number; slug: string }>(sql`
      insert into products (slug, vendor, vendor_email, category, image, sort_num, activation, search_terms, import_hash)
      select slug, vendor, vendor_email, category, image, sort_num, activation, search_terms, import_hash
      from jsonb_to_recordset(${jsonSql(newRows)}) as r${shape} order by position returning id, slug`);
    const ids = new Map(inserted.map(({ id, slug }) => [slug, id]));
    for (const change of changes) change.id ||= ids.get(change.parsed.value.slug) ?? 0;
  }
  if (newRows.length === rows.length) return;
  await tx.execute(sql`
    update products p set vendor = r.vendor, vendor_email = r.vendor_email, category = r.category, image = r.image, sort_num = r.sort_num,
      activation = r.activation, search_terms = r.search_terms, import_hash = r.import_hash, listed = true, updated_at = shop_now()
    from jsonb_to_recordset(${jsonSql(rows.filter(({ id }) => id > 0))}) as r${shape} where p.id = r.id`);
}

async function storeTexts(tx: Tx, changes: ProductChange[]): Promise<void> {
  const rows = changes.flatMap(({ parsed, id }) =>
    LOCALES.flatMap((locale) => {
      const texts = parsed.value.texts[locale];
      return texts ? [{ product_id: id, locale, ...texts }] : [];
    }),
  );
  await tx.execute(sql`
    with r as (select * from jsonb_to_recordset(${jsonSql(rows)})
      as r(product_id int, locale text, name text, tagline text, description text, includes jsonb)),
    deleted as (delete from product_texts t where t.product_id in (select product_id from r)
      and not exists (select from r where r.product_id = t.product_id and r.locale = t.locale))
    insert into product_texts (product_id, locale, name, tagline, description, includes)
    select product_id, locale, name, tagline, description, includes from r
    on conflict (product_id, locale) do update set name = excluded.name, tagline = excluded.tagline,
      description = excluded.description, includes = excluded.includes`);
}
