import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { storePicture } from "@/lib/catalog/images/commands";
import { PLACEHOLDER } from "@/lib/catalog/images/rules";
import { indexProducts } from "@/lib/catalog/search/commands";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";

import { LOCALES } from "@/lib/platform/i18n/locales";
import {
  type KnownProduct,
  type ParsedLine,
  type ProductChange,
  storeDeals,
  storePlans,
  type WrittenProduct,
} from "./commands-plans";
import { type CategoryLine, type ImportError, type ProductLine, planKind } from "./contract";

export type LineResult = "added" | "changed" | "unchanged" | ImportError;

const json = (value: unknown) => sql`${JSON.stringify(value)}::jsonb`;

/** Writes a batch in the given transaction and returns each line's result, in order. */
export async function writeLines(tx: Tx, batch: ParsedLine[]): Promise<LineResult[]> {
  await waitForOthers(tx);
  const outcomes = new Map<ParsedLine, LineResult>();
  const categories = batch.filter(
    (ready): ready is ParsedLine<CategoryLine> => ready.value.kind === "category",
  );
  if (categories.length > 0) await writeCategories(tx, categories, outcomes);
  const products = batch.filter((ready): ready is ParsedLine<ProductLine> => ready.value.kind === "product");
  if (products.length > 0) await writeProducts(tx, products, outcomes);
  return batch.map((ready) => outcomes.get(ready) ?? "unchanged");
}

/** Waits for a concurrent import's transaction; a preview holds the lock to its end. */
async function waitForOthers(tx: Tx): Promise<void> {
  await tx.execute(
    sql`select set_config('statement_timeout', '1h', true), set_config('lock_timeout', '1h', true)`,
  );
  await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.catalogImport})`);
  await tx.execute(sql`set local statement_timeout to default`);
  await tx.execute(sql`set local lock_timeout to default`);
}

async function writeCategories(
  tx: Tx,
  batch: ParsedLine<CategoryLine>[],
  outcomes: Map<ParsedLine, LineResult>,
): Promise<void> {
  const rows = batch.map(({ value, hash }) => ({ ...value, import_hash: hash }));
  const written = await tx.execute<{ slug: string; fresh: boolean }>(sql`
    insert into categories as c (slug, sort_num, hue, names, import_hash)
    select slug, sort_num, hue, names, import_hash
    from jsonb_to_recordset(${json(rows)}) as r(slug text, sort_num int, hue int, names jsonb, import_hash text)
    on conflict (slug) do update set sort_num = excluded.sort_num, hue = excluded.hue,
      names = excluded.names, import_hash = excluded.import_hash
    where c.import_hash <> excluded.import_hash
    returning slug, (xmax = 0) as fresh`);
  for (const { slug, fresh } of written) {
    const ready = batch.find(({ value }) => value.slug === slug);
    if (ready) outcomes.set(ready, fresh ? "added" : "changed");
  }
  await indexProducts(tx, { categories: written.flatMap(({ slug, fresh }) => (fresh ? [] : [slug])) });
}

async function writeProducts(
  tx: Tx,
  batch: ParsedLine<ProductLine>[],
  outcomes: Map<ParsedLine, LineResult>,
): Promise<void> {
  const known = await knownProducts(tx, batch);
  const categories = new Set(known.categories);
  const work: ProductChange[] = [];
  for (const ready of batch) {
    const before = known.products.get(ready.value.slug) ?? null;
    const mark = before && readMark(before.import_hash);
    if (!categories.has(ready.value.category))
      outcomes.set(ready, {
        line: ready.line,
        path: "category",
        message: `There is no category ${ready.value.category}.`,
      });
    else if (before && mark?.hash === ready.hash) outcomes.set(ready, "unchanged");
    else {
      outcomes.set(ready, before ? "changed" : "added");
      work.push({ ready, before, written: mark?.written ?? {}, id: before?.id ?? 0 });
    }
  }
  if (work.length === 0) return;
  for (const { ready } of work) if (ready.picture) await storePicture(tx, ready.picture);
  await storeProducts(tx, work);
  await storeTexts(tx, work);
  await storeDeals(tx, work, await storePlans(tx, work, known.now), known.now);
  await indexProducts(tx, { products: work.map(({ id }) => id) });
}

/**
 * `products.import_hash` holds the content hash and the times as written, so that an import can tell an unchanged
 * duration from a new one.
 */
function readMark(mark: string): { hash: string; written: Record<string, WrittenProduct> } {
  const [hash = "", ...rest] = mark.split(" ");
  return { hash, written: rest.length > 0 ? JSON.parse(rest.join(" ")) : {} };
}

function writeMark({ hash, value }: ParsedLine<ProductLine>): string {
  const written: Record<string, WrittenProduct> = {};
  for (const plan of value.plans) {
    const times: WrittenProduct = {};
    if (plan.availability === "pre_order" && plan.releases_on) times.releases_on = plan.releases_on;
    if (plan.deal) times.ends_at = plan.deal.ends_at;
    if (Object.keys(times).length > 0) written[planKind(plan)] = times;
  }
  return Object.keys(written).length > 0 ? `${hash} ${JSON.stringify(written)}` : hash;
}

async function knownProducts(tx: Tx, batch: ParsedLine<ProductLine>[]) {
  const rows = await tx.execute<{ now: string; categories: string[]; products: KnownProduct[] }>(sql`
    select to_json(shop_now()) as now, (select json_agg(slug) from categories) as categories,
      (select coalesce(json_agg(json_build_object('id', p.id, 'slug', p.slug, 'import_hash', p.import_hash,
        'plans', (select coalesce(json_agg(json_build_object('id', pl.id, 'releases_at', pl.releases_at,
            'kind', pl.type || coalesce(':' || pl.duration_days, ''),
            'deal', (select d.id from deals d where d.plan_id = pl.id and d.ended_at is null))), '[]')
          from plans pl where pl.product_id = p.id))), '[]')
        from products p where p.slug in (select jsonb_array_elements_text(${json(batch.map(({ value }) => value.slug))}))
      ) as products`);
  const { now, categories, products } = rows[0]!;
  return {
    now: new Date(now),
    categories: categories ?? [],
    products: new Map(products.map((product) => [product.slug, product])),
  };
}

/** Fills in the ids of new products, in the order of the file. */
async function storeProducts(tx: Tx, work: ProductChange[]): Promise<void> {
  const rows = work.map(({ ready, id }, position) => ({
    ...ready.value,
    id,
    position,
    image: ready.picture?.hash ?? PLACEHOLDER,
    import_hash: writeMark(ready),
  }));
  const shape = sql`(id int, position int, slug text, vendor text, vendor_email text, category text, image text, sort_num int,
    activation jsonb, import_hash text)`;
  const fresh = rows.filter(({ id }) => id === 0);
  if (fresh.length > 0) {
    const made = await tx.execute<{ id: number; slug: string }>(sql`
      insert into products (slug, vendor, vendor_email, category, image, sort_num, activation, import_hash)
      select slug, vendor, vendor_email, category, image, sort_num, activation, import_hash
      from jsonb_to_recordset(${json(fresh)}) as r${shape} order by position returning id, slug`);
    const ids = new Map(made.map(({ id, slug }) => [slug, id]));
    for (const change of work) change.id ||= ids.get(change.ready.value.slug) ?? 0;
  }
  if (fresh.length === rows.length) return;
  await tx.execute(sql`
    update products p set vendor = r.vendor, vendor_email = r.vendor_email, category = r.category, image = r.image, sort_num = r.sort_num,
      activation = r.activation, import_hash = r.import_hash, listed = true, updated_at = shop_now()
    from jsonb_to_recordset(${json(rows.filter(({ id }) => id > 0))}) as r${shape} where p.id = r.id`);
}

async function storeTexts(tx: Tx, work: ProductChange[]): Promise<void> {
  const rows = work.flatMap(({ ready, id }) =>
    LOCALES.flatMap((locale) => {
      const own = ready.value.texts[locale];
      return own ? [{ product_id: id, locale, ...own }] : [];
    }),
  );
  await tx.execute(sql`
    with r as (select * from jsonb_to_recordset(${json(rows)})
      as r(product_id int, locale text, name text, tagline text, description text, includes jsonb)),
    gone as (delete from product_texts t where t.product_id in (select product_id from r)
      and not exists (select from r where r.product_id = t.product_id and r.locale = t.locale))
    insert into product_texts (product_id, locale, name, tagline, description, includes)
    select product_id, locale, name, tagline, description, includes from r
    on conflict (product_id, locale) do update set name = excluded.name, tagline = excluded.tagline,
      description = excluded.description, includes = excluded.includes`);
}
