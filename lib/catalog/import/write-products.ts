import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { PLACEHOLDER } from "@/lib/catalog/images/rules";
import { storePicture } from "@/lib/catalog/images/store-picture";
import { indexProducts } from "@/lib/catalog/search/index-products";
import { reason } from "@/lib/platform/error-messages";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { enqueue } from "@/lib/platform/jobs/queue";
import type { ImportError, ProductRecord } from "./contract";
import { ProductsRevised } from "./contract-jobs";
import { PLAIN_ROW, plainColumns, SET_PLAIN } from "./field-sql";
import { editedSince, isSame, type LineResult, refuses, slugsSql, type Writer } from "./line-writer";
import { readProductRecords } from "./read-product-records";
import { refuseCodes } from "./refuse-codes";
import { refuseNames } from "./refuse-names";
import { refusePriceChanges } from "./refuse-price-changes";
import { refuseUnlisted } from "./refuse-unlisted";
import { normalizeRecord } from "./rules";
import { planKind } from "./rules-line";
import {
  type ExistingProduct,
  type ImportedTimes,
  jsonSql,
  type ParsedLine,
  type ProductChange,
  storeDeals,
  storePlans,
  withPreviousTimes,
} from "./store-plans";
import { storeRevisions } from "./store-revisions";

export async function writeProducts(
  tx: Tx,
  batch: ParsedLine<ProductRecord>[],
  results: Map<ParsedLine, LineResult>,
  writer: Writer,
) {
  const stored = await findExistingProducts(tx, batch);
  const categories = new Set(stored.categories);
  const differing = batch.flatMap((parsed) => {
    const existing = stored.products.get(parsed.value.slug);
    return existing && parseImportMark(existing.import_hash).hash !== parsed.hash ? [existing.id] : [];
  });
  const previousRecords = await readProductRecords(differing, tx);
  const changes: ProductChange[] = [];
  for (const parsed of batch) {
    const existing = stored.products.get(parsed.value.slug) ?? null;
    const importMark = existing && parseImportMark(existing.import_hash);
    const previousRecord = existing && (previousRecords.get(existing.id) ?? null);
    const written = importMark?.written ?? {};
    const { value, previousTimes } = withPreviousTimes(parsed.value, existing, written, writer.source);
    const isUnchanged = () => {
      const picture = parsed.picture?.hash ?? null;
      const before = { picture, current: previousRecord, unchanged: previousTimes, now: stored.now };
      return isSame(previousRecord, normalizeRecord(value, before));
    };
    if (!categories.has(parsed.value.category))
      results.set(parsed, {
        line: parsed.line,
        path: "category",
        ...reason("line_category", { category: parsed.value.category }),
      });
    else if (existing && (importMark?.hash === parsed.hash || isUnchanged()))
      results.set(parsed, "unchanged");
    else if (existing && refuses(writer, existing)) results.set(parsed, editedSince(parsed.line));
    else {
      results.set(parsed, existing ? "changed" : "added");
      changes.push({ parsed: { ...parsed, value }, existing, previousTimes, id: existing?.id ?? 0 });
    }
  }
  const drop = (refusals: ReadonlyMap<ProductChange, ImportError>) => {
    for (const [change, refusal] of refusals) {
      const refused = batch.find(({ line }) => line === change.parsed.line);
      if (refused) results.set(refused, refusal);
      changes.splice(changes.indexOf(change), 1);
    }
  };
  drop(await refuseNames(tx, changes, previousRecords, { byMerchant: writer.merchantId !== undefined }));
  if (writer.merchantId === undefined) drop(await refuseUnlisted(tx, changes, previousRecords));
  const withBefore = changes.map(({ parsed, id }) => ({ parsed, before: previousRecords.get(id) }));
  const withCode = await refuseCodes(tx, withBefore, writer.findTextsWithCode);
  drop(
    new Map(
      changes.flatMap((change) =>
        withCode.get(change.parsed) ? [[change, withCode.get(change.parsed)!]] : [],
      ),
    ),
  );
  drop(await refusePriceChanges(tx, changes, { now: stored.now, approved: writer.approved }));
  if (changes.length === 0) return;
  for (const { picture } of changes.map(({ parsed }) => parsed))
    if (picture && "bytes" in picture) await storePicture(tx, picture);
  await storeProducts(tx, changes, writer);
  await storeTexts(tx, changes);
  await storeDeals(tx, changes, await storePlans(tx, changes, stored.now), stored.now);
  await storeRevisions(tx, changes, previousRecords, writer);
  await queueMerchantNotices(tx, changes, writer);
  await indexProducts(tx, { products: changes.map(({ id }) => id) });
}

/** Tells a merchant what someone else changed of its products. */
async function queueMerchantNotices(tx: Tx, changes: ProductChange[], { by, merchantId }: Writer) {
  const ids = changes.flatMap(({ id, existing }) => (existing ? [id] : []));
  if (merchantId !== undefined || ids.length === 0) return;
  const products = await tx.execute<{ product_id: number; revision: number }>(sql`
    select id as product_id, revision from products where id = any(${sql.param(ids)}::int[]) and merchant_id is not null order by id`);
  if (products.length > 0) await enqueue(tx, ProductsRevised, { by, products: [...products] });
}

/** `products.import_hash`: the content hash and the times as written, which tell an unchanged duration from a new one. */
function parseImportMark(importMark: string): { hash: string; written: Record<string, ImportedTimes> } {
  const [hash = "", ...rest] = importMark.split(" ");
  return { hash, written: rest.length > 0 ? JSON.parse(rest.join(" ")) : {} };
}

function formatImportMark({ hash, value }: ParsedLine<ProductRecord>): string {
  const written: Record<string, ImportedTimes> = {};
  for (const plan of value.plans) {
    const times: ImportedTimes = {};
    if (plan.availability !== "in_stock" && plan.releases_on) times.releases_on = plan.releases_on;
    if (plan.deal) times.ends_at = plan.deal.ends_at;
    if (Object.keys(times).length > 0) written[planKind(plan)] = times;
  }
  return Object.keys(written).length > 0 ? `${hash} ${JSON.stringify(written)}` : hash;
}

/** Locks the products, so that an edit in the console and an import follow each other. */
async function findExistingProducts(tx: Tx, batch: ParsedLine<ProductRecord>[]) {
  await tx.execute(sql`select from products where slug in ${slugsSql(batch)} order by id for no key update`);
  const rows = await tx.execute<{ now: string; categories: string[]; products: ExistingProduct[] }>(sql`
    select to_json(shop_now()) as now, (select json_agg(slug) from categories) as categories,
      (select coalesce(json_agg(json_build_object('id', p.id, 'slug', p.slug, 'import_hash', p.import_hash,
        'revision', p.revision, 'source', p.source, 'updated_at', p.updated_at, 'plans', (select coalesce(json_agg(json_build_object('id', pl.id, 'releases_at', pl.releases_at,
            'kind', pl.type || coalesce(':' || pl.duration_days, ''),
            'deal', d.id, 'deal_ends_at', d.ends_at)), '[]')
          from plans pl left join deals d on d.plan_id = pl.id and d.ended_at is null where pl.product_id = p.id))), '[]')
        from products p where p.slug in ${slugsSql(batch)}
      ) as products`);
  const { now, categories, products } = rows[0]!;
  return {
    now: new Date(now),
    categories: categories ?? [],
    products: new Map(products.map((product) => [product.slug, product])),
  };
}

/** Writes products and sets the ids of new ones, which follow the order of the file. */
async function storeProducts(tx: Tx, changes: ProductChange[], writer: Writer): Promise<void> {
  const { source, merchantId = null } = writer;
  const rows = changes.map(({ parsed, id }, position) => ({
    ...parsed.value,
    listed: parsed.value.listed ?? true,
    source,
    id,
    position,
    image: parsed.picture?.hash ?? PLACEHOLDER,
    import_hash: formatImportMark(parsed),
  }));
  const shape = sql`(id int, position int, ${sql.raw(PLAIN_ROW)}, image text, sort_num int,
    listed bool, activation jsonb, search_terms jsonb, import_hash text, source text)`;
  const newRows = rows.filter(({ id }) => id === 0);
  if (newRows.length > 0) {
    const inserted = await tx.execute<{ id: number; slug: string }>(sql`
      insert into products (${sql.raw(plainColumns())}, image, sort_num, published, activation, search_terms, import_hash,
        source, revision, merchant_id)
      select ${sql.raw(plainColumns())}, image, sort_num, listed, activation, search_terms, import_hash, source, 1, ${merchantId}
      from jsonb_to_recordset(${jsonSql(newRows)}) as r${shape} order by position returning id, slug`);
    const ids = new Map(inserted.map(({ id, slug }) => [slug, id]));
    for (const change of changes) change.id ||= ids.get(change.parsed.value.slug) ?? 0;
  }
  if (newRows.length === rows.length) return;
  await tx.execute(sql`
    update products p set ${sql.raw(SET_PLAIN)}, image = r.image, sort_num = r.sort_num,
      activation = r.activation, search_terms = r.search_terms, import_hash = r.import_hash, published = r.listed, source = r.source,
      revision = greatest(p.revision, 1) + 1, updated_at = shop_now()
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
