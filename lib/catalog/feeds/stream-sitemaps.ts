import { sql } from "drizzle-orm";
import { feedDb } from "@/db/client";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { SITEMAP_URLS, type SitemapPage } from "@/lib/platform/pages/sitemap";

/** Products per sitemap file, each with a URL per language. Ids start at 1001. */
const PER_FILE = Math.floor(SITEMAP_URLS / LOCALES.length);
const FIRST_ID = 1001;
const BATCH = 500;

/** The sitemap files of the products, with the last change of each. */
export async function listProductSitemaps(): Promise<{ part: number; lastModified: string }[]> {
  return feedDb.execute<{ part: number; lastModified: string }>(sql`
    select (id - ${FIRST_ID}) / ${PER_FILE} + 1 as part, max(updated_at) as "lastModified"
    from products where listed group by 1 order by 1`);
}

/** Whether there is a product with a number of this sitemap file. */
export async function hasProductSitemap(part: number): Promise<boolean> {
  const [row] = await feedDb.execute<{ last: number | null }>(sql`select max(id) as last from products`);
  return row?.last != null && FIRST_ID + (part - 1) * PER_FILE <= row.last;
}

/**
 * Streams the products of one sitemap file. Each batch is a separate statement: one statement for all of them would
 * hold a connection for as long as the file takes, and reach its time limit.
 */
export async function* streamProductPages(part: number): AsyncGenerator<SitemapPage> {
  const from = FIRST_ID + (part - 1) * PER_FILE;
  type Row = { id: number; slug: string; languages: Locale[]; at: string };
  for (let last = from - 1; ; ) {
    const batch = await feedDb.execute<Row>(sql`
      select p.id, p.slug, p.updated_at as at,
        (select array_agg(t.locale) from product_texts t where t.product_id = p.id) as languages
      from products p
      where p.listed and p.id > ${last} and p.id < ${from + PER_FILE}
        and exists (select from plans pl where pl.product_id = p.id and pl.listed)
      order by p.id limit ${BATCH}`);
    for (const { slug, languages, at } of batch)
      yield { path: `/product/${slug}`, languages, lastModified: at };
    if (batch.length < BATCH) return;
    last = batch.at(-1)!.id;
  }
}

/** The pages of categories, vendors and merchants that have products on sale, with the last change of these. */
export async function* streamCollectionPages(): AsyncGenerator<SitemapPage> {
  type Row = { path: string; at: string };
  const rows = await feedDb.execute<Row>(sql`
    select '/category/' || category as path, max(updated_at) as at from products p
    where listed and exists (select from plans pl where pl.product_id = p.id and pl.listed) group by category
    union all
    select '/vendor/' || vendor_slug, max(updated_at) from products p
    where listed and exists (select from plans pl where pl.product_id = p.id and pl.listed) group by vendor_slug
    union all
    select '/seller/' || m.handle, max(p.updated_at) from products p join merchants m on m.id = p.merchant_id
    where p.listed and exists (select from plans pl where pl.product_id = p.id and pl.listed) group by m.handle
    order by path limit ${PER_FILE}`);
  for (const { path, at } of rows) yield { path, languages: LOCALES, lastModified: at };
}
