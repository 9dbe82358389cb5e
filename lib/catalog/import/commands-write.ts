import { isDeepStrictEqual } from "node:util";
import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { storePicture } from "@/lib/catalog/images/commands";
import { PLACEHOLDER } from "@/lib/catalog/images/rules";
import type { LineSource } from "@/lib/catalog/rules";
import { indexProducts } from "@/lib/catalog/search/commands";
import { synonymQuery } from "@/lib/catalog/search/rules";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { reason } from "@/lib/platform/error-messages";
import { LOCALES } from "@/lib/platform/i18n/locales";
import { enqueue } from "@/lib/platform/jobs/queue";
import { type FindTextsWithCode, refuseCodes } from "./commands-codes";
import { refuseNames } from "./commands-names";
import {
  type ExistingProduct,
  type ImportedTimes,
  jsonSql,
  type ParsedLine,
  type ProductChange,
  storeDeals,
  storePlans,
  withPreviousTimes,
} from "./commands-plans";
import { refusePriceChanges } from "./commands-prices";
import type { CatalogLine, CategoryLine, ImportError, ProductLine, SynonymsLine } from "./contract";
import { ProductsRevised } from "./contract-jobs";
import { readProductLines } from "./queries";
import { type CategoryRow, normalizeLine, type SynonymsRow, toCategoryLine } from "./rules";
import { planKind } from "./rules-line";

export type LineResult = "added" | "changed" | "unchanged" | ImportError;

/** Who writes lines, and what it may do. */
export type Writer = {
  source: LineSource;
  /** `import` or a user's id */
  by: string;
  note?: string | undefined;
  /** Replaces what was written in the console. */
  takeOver?: boolean | undefined;
  /** A second person has approved prices that differ a lot. */
  approved?: boolean | undefined;
  /** the merchant whose change it is: a new product belongs to it; without it to the vendor's merchant */
  merchantId?: string | undefined;
  /** Refuses lines whose texts contain an activation code; who edits in the console has had them checked. */
  findTextsWithCode?: FindTextsWithCode | undefined;
};

/** Writes a batch in the transaction and returns the results of the lines, in order. */
export async function writeLines(tx: Tx, batch: ParsedLine[], writer: Writer): Promise<LineResult[]> {
  await tx.execute(sql`select set_config('shop.author', ${writer.by}, true)`);
  if (writer.source === "import") await lockImports(tx);
  const results = new Map<ParsedLine, LineResult>();
  const categories = batch.filter(
    (parsed): parsed is ParsedLine<CategoryLine> => parsed.value.kind === "category",
  );
  if (categories.length > 0) await writeCategories(tx, categories, results, writer);
  const synonyms = batch.filter(
    (parsed): parsed is ParsedLine<SynonymsLine> => parsed.value.kind === "synonyms",
  );
  if (synonyms.length > 0) await writeSynonyms(tx, synonyms, results, writer);
  const products = batch.filter(
    (parsed): parsed is ParsedLine<ProductLine> => parsed.value.kind === "product",
  );
  if (products.length > 0) await writeProducts(tx, products, results, writer);
  return batch.map((parsed) => results.get(parsed) ?? "unchanged");
}

/** Serializes imports; a preview holds the lock until its transaction ends. */
async function lockImports(tx: Tx): Promise<void> {
  await tx.execute(
    sql`select set_config('statement_timeout', '1h', true), set_config('lock_timeout', '1h', true)`,
  );
  await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.catalogImport})`);
  await tx.execute(sql`set local statement_timeout to default`);
  await tx.execute(sql`set local lock_timeout to default`);
}

/** Refuses the line of what was edited in the console since. */
const editedSince = (line: number): ImportError => ({
  line,
  path: "",
  ...reason("line_edited"),
});

const refuses = (writer: Writer, existing: { source: LineSource }) =>
  writer.source === "import" && existing.source === "console" && !writer.takeOver;

/** Whether two values have the same fields, whatever their order; an absent field is as one without a value. */
const isSame = (one: unknown, other: unknown) =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));

type Slug = { slug: string };
const slugsSql = (batch: ParsedLine[]) =>
  sql`(select jsonb_array_elements_text(${jsonSql(batch.map(({ value }) => value.slug))}))`;

/** The lines that change something and may: the others get their results. */
function changedLines<L extends CatalogLine>(
  batch: ParsedLine<L>[],
  rows: readonly (Slug & { source: LineSource; import_hash: string })[],
  {
    results,
    writer,
    isUnchanged,
  }: {
    results: Map<ParsedLine, LineResult>;
    writer: Writer;
    /** Whether the line says what is stored; called if the hashes differ. */
    isUnchanged: (line: L) => boolean;
  },
): ParsedLine<L>[] {
  const existing = new Map(rows.map((row) => [row.slug, row]));
  return batch.filter((parsed) => {
    const row = existing.get(parsed.value.slug);
    if ((row && row.import_hash === parsed.hash) || isUnchanged(parsed.value)) return false;
    const isRefused = row !== undefined && refuses(writer, row);
    results.set(parsed, isRefused ? editedSince(parsed.line) : row ? "changed" : "added");
    return !isRefused;
  });
}

/** Gives refused lines their results and removes them from those that are written. */
function dropRefused<L extends ParsedLine>(
  changes: L[],
  refusals: ReadonlyMap<L, ImportError>,
  results: Map<ParsedLine, LineResult>,
): void {
  for (const [change, refusal] of refusals) {
    results.set(change, refusal);
    changes.splice(changes.indexOf(change), 1);
  }
}

async function writeCategories(
  tx: Tx,
  batch: ParsedLine<CategoryLine>[],
  results: Map<ParsedLine, LineResult>,
  writer: Writer,
): Promise<void> {
  const stored = await tx.execute<CategoryRow>(sql`
    select slug, sort_num, hue, names, texts, search_terms, source, import_hash from categories
    where slug in ${slugsSql(batch)} order by slug for no key update`);
  const lines = new Map(stored.map((row) => [row.slug, toCategoryLine(row)]));
  const changes = changedLines(batch, stored, {
    results,
    writer,
    isUnchanged: (line) => isSame(lines.get(line.slug) ?? null, line),
  });
  const withBefore = changes.map((parsed) => ({ parsed, before: lines.get(parsed.value.slug) }));
  dropRefused(changes, await refuseCodes(tx, withBefore, writer.findTextsWithCode), results);
  if (changes.length === 0) return;
  const rows = changes.map(({ value, hash }) => ({
    ...value,
    texts: value.texts ?? {},
    import_hash: hash,
    source: writer.source,
  }));
  await tx.execute(sql`
    insert into categories as c (slug, sort_num, hue, names, texts, search_terms, import_hash, source, revision)
    select slug, sort_num, hue, names, texts, search_terms, import_hash, source, 1
    from jsonb_to_recordset(${jsonSql(rows)}) as r(slug text, sort_num int, hue int, names jsonb, texts jsonb,
      search_terms jsonb, import_hash text, source text)
    on conflict (slug) do update set sort_num = excluded.sort_num, hue = excluded.hue, names = excluded.names,
      texts = excluded.texts, search_terms = excluded.search_terms, import_hash = excluded.import_hash,
      source = excluded.source, revision = c.revision + 1`);
  await indexProducts(tx, { categories: stored.map(({ slug }) => slug) });
}

/** Writes groups of synonyms and updates the search documents of products that the old or the new terms find. */
async function writeSynonyms(
  tx: Tx,
  batch: ParsedLine<SynonymsLine>[],
  results: Map<ParsedLine, LineResult>,
  writer: Writer,
): Promise<void> {
  const previous = await tx.execute<SynonymsRow & { query: string }>(sql`
    select slug, terms, query, source, import_hash from search_synonyms
    where slug in ${slugsSql(batch)} order by slug for no key update`);
  const stored = new Map(previous.map((row) => [row.slug, row]));
  const changes = changedLines(batch, previous, {
    results,
    writer,
    isUnchanged: ({ slug, terms }) =>
      stored.has(slug) ? isSame(stored.get(slug)?.terms, terms) : Object.values(terms).flat().length === 0,
  });
  const withBefore = changes.map((parsed) => ({ parsed, before: stored.get(parsed.value.slug)?.terms }));
  dropRefused(changes, await refuseCodes(tx, withBefore, writer.findTextsWithCode), results);
  if (changes.length === 0) return;
  const rows = changes.map(({ value, hash }) => ({
    slug: value.slug,
    terms: value.terms,
    query: synonymQuery(Object.values(value.terms).flat()),
    import_hash: hash,
    source: writer.source,
  }));
  const affected = rows.flatMap(({ slug, query }) => [stored.get(slug)?.query ?? "", query].filter(Boolean));
  await tx.execute(sql`
    delete from search_synonyms where slug in (
      select slug from jsonb_to_recordset(${jsonSql(rows)}) as r(slug text, query text) where query = '')`);
  await tx.execute(sql`
    insert into search_synonyms as s (slug, terms, query, import_hash, source, revision)
    select slug, terms, query, import_hash, source, 1
    from jsonb_to_recordset(${jsonSql(rows)}) as r(slug text, terms jsonb, query text, import_hash text, source text)
    where query <> ''
    on conflict (slug) do update set terms = excluded.terms, query = excluded.query, import_hash = excluded.import_hash,
      source = excluded.source, revision = s.revision + 1`);
  if (affected.length > 0)
    await tx.execute(sql`
      select refresh_search_documents(array(select d.product_id from search_documents d
        where d.document @@ ${affected.join(" | ")}::tsquery))`);
}

async function writeProducts(
  tx: Tx,
  batch: ParsedLine<ProductLine>[],
  results: Map<ParsedLine, LineResult>,
  writer: Writer,
) {
  const stored = await findExistingProducts(tx, batch);
  const categories = new Set(stored.categories);
  const differing = batch.flatMap((parsed) => {
    const existing = stored.products.get(parsed.value.slug);
    return existing && parseImportMark(existing.import_hash).hash !== parsed.hash ? [existing.id] : [];
  });
  const previousLines = await readProductLines(differing, tx);
  const changes: ProductChange[] = [];
  for (const parsed of batch) {
    const existing = stored.products.get(parsed.value.slug) ?? null;
    const importMark = existing && parseImportMark(existing.import_hash);
    const previousLine = existing && (previousLines.get(existing.id) ?? null);
    const written = importMark?.written ?? {};
    const { value, previousTimes } = withPreviousTimes(parsed.value, existing, written, writer.source);
    const isUnchanged = () => {
      const picture = parsed.picture?.hash ?? null;
      const before = { picture, current: previousLine, unchanged: previousTimes, now: stored.now };
      return isSame(previousLine, normalizeLine(value, before));
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
  drop(await refuseNames(tx, changes, previousLines, { byMerchant: writer.merchantId !== undefined }));
  const withBefore = changes.map(({ parsed, id }) => ({ parsed, before: previousLines.get(id) }));
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
  await storeRevisions(tx, changes, previousLines, writer);
  await queueMerchantNotices(tx, changes, writer);
  await indexProducts(tx, { products: changes.map(({ id }) => id) });
}

/** Tells a merchant what somebody else changed of its products. */
async function queueMerchantNotices(tx: Tx, changes: ProductChange[], { by, merchantId }: Writer) {
  const ids = changes.flatMap(({ id, existing }) => (existing ? [id] : []));
  if (merchantId !== undefined || ids.length === 0) return;
  const products = await tx.execute<{ product_id: number; revision: number }>(sql`
    select id as product_id, revision from products where id = any(${sql.param(ids)}::int[]) and merchant_id is not null order by id`);
  if (products.length > 0) await enqueue(tx, ProductsRevised, { by, products: [...products] });
}

/** Adds the lines that were written. A product from before revisions were kept begins with the line that it had. */
async function storeRevisions(
  tx: Tx,
  changes: ProductChange[],
  previousLines: ReadonlyMap<number, ProductLine>,
  { source, by, note }: Writer,
): Promise<void> {
  const lines = await readProductLines(
    changes.map(({ id }) => id),
    tx,
  );
  const rows = changes.flatMap(({ id, existing }) => {
    const first = existing?.revision === 0;
    const line = lines.get(id);
    return [
      ...(first
        ? [
            {
              id,
              revision: 1,
              line: previousLines.get(id),
              source: "import",
              by: "import",
              at: existing.updated_at,
            },
          ]
        : []),
      {
        id,
        revision: Math.max(1, existing?.revision ?? 0) + (existing ? 1 : 0),
        line,
        source,
        by,
        note: note ?? null,
      },
    ];
  });
  await tx.execute(sql`
    insert into product_revisions (product_id, revision, line, source, by, note, created_at)
    select id, revision, line, source, by, note, coalesce(at, shop_now())
    from jsonb_to_recordset(${jsonSql(rows)}) as r(id int, revision int, line jsonb, source text, by text, note text, at timestamptz)`);
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
    if (plan.availability !== "in_stock" && plan.releases_on) times.releases_on = plan.releases_on;
    if (plan.deal) times.ends_at = plan.deal.ends_at;
    if (Object.keys(times).length > 0) written[planKind(plan)] = times;
  }
  return Object.keys(written).length > 0 ? `${hash} ${JSON.stringify(written)}` : hash;
}

/** Locks the products, so that an edit in the console and an import follow each other. */
async function findExistingProducts(tx: Tx, batch: ParsedLine<ProductLine>[]) {
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
  const shape = sql`(id int, position int, slug text, vendor text, vendor_email text, category text, image text, sort_num int,
    listed bool, activation jsonb, search_terms jsonb, import_hash text, source text)`;
  const newRows = rows.filter(({ id }) => id === 0);
  if (newRows.length > 0) {
    const inserted = await tx.execute<{ id: number; slug: string }>(sql`
      insert into products (slug, vendor, vendor_email, category, image, sort_num, published, activation, search_terms, import_hash,
        source, revision, merchant_id)
      select slug, vendor, vendor_email, category, image, sort_num, listed, activation, search_terms, import_hash, source, 1, ${merchantId}
      from jsonb_to_recordset(${jsonSql(newRows)}) as r${shape} order by position returning id, slug`);
    const ids = new Map(inserted.map(({ id, slug }) => [slug, id]));
    for (const change of changes) change.id ||= ids.get(change.parsed.value.slug) ?? 0;
  }
  if (newRows.length === rows.length) return;
  await tx.execute(sql`
    update products p set vendor = r.vendor, vendor_email = r.vendor_email, category = r.category, image = r.image, sort_num = r.sort_num,
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
