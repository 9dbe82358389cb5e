import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { LineSource } from "@/lib/catalog/rules";
import { indexProducts } from "@/lib/catalog/search/index-products";
import { synonymQuery } from "@/lib/catalog/search/rules";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import type { CatalogRecord, CategoryRecord, ImportError, ProductRecord, SynonymsRecord } from "./contract";
import {
  editedSince,
  isSame,
  type LineResult,
  refuses,
  type Slug,
  slugsSql,
  type Writer,
} from "./line-writer";
import { refuseCodes } from "./refuse-codes";
import { type CategoryRow, type SynonymsRow, toCategoryRecord } from "./rules";
import { jsonSql, type ParsedLine } from "./store-plans";
import { writeProducts } from "./write-products";

/** Writes a batch in the transaction and returns the results of the lines, in order. */
export async function writeLines(tx: Tx, batch: ParsedLine[], writer: Writer): Promise<LineResult[]> {
  await tx.execute(sql`select set_config('shop.author', ${writer.by}, true)`);
  if (writer.source === "import") await lockImports(tx);
  const results = new Map<ParsedLine, LineResult>();
  const categories = batch.filter(
    (parsed): parsed is ParsedLine<CategoryRecord> => parsed.value.kind === "category",
  );
  if (categories.length > 0) await writeCategories(tx, categories, results, writer);
  const synonyms = batch.filter(
    (parsed): parsed is ParsedLine<SynonymsRecord> => parsed.value.kind === "synonyms",
  );
  if (synonyms.length > 0) await writeSynonyms(tx, synonyms, results, writer);
  const products = batch.filter(
    (parsed): parsed is ParsedLine<ProductRecord> => parsed.value.kind === "product",
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

/** The lines that change something and may: the others get their results. */
function changedLines<L extends CatalogRecord>(
  batch: ParsedLine<L>[],
  rows: readonly (Slug & { source: LineSource; import_hash: string })[],
  {
    results,
    writer,
    isUnchanged,
  }: {
    results: Map<ParsedLine, LineResult>;
    writer: Writer;
    /** Whether the line equals what is stored; called if the hashes differ. */
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
  batch: ParsedLine<CategoryRecord>[],
  results: Map<ParsedLine, LineResult>,
  writer: Writer,
): Promise<void> {
  const stored = await tx.execute<CategoryRow>(sql`
    select slug, sort_num, hue, names, texts, search_terms, source, import_hash from categories
    where slug in ${slugsSql(batch)} order by slug for no key update`);
  const lines = new Map(stored.map((row) => [row.slug, toCategoryRecord(row)]));
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
  batch: ParsedLine<SynonymsRecord>[],
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
