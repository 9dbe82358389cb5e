import { client } from "@/db/client";
import type { FeedLine, ProductDetail } from "@/lib/catalog/contract";
import { findProductPage } from "@/lib/catalog/queries";
import { env } from "@/lib/platform/env";
import { LOCALES, type Locale } from "@/lib/platform/i18n/locales";
import { SITEMAP_URLS, type SitemapPage } from "@/lib/platform/pages/sitemap";
import { localizedPath } from "@/lib/platform/routing/paths";

/** Products per sitemap file, each with a URL per language. Ids start at 1001. */
const PER_FILE = Math.floor(SITEMAP_URLS / LOCALES.length);
const FIRST_ID = 1001;
const BATCH = 500;

/** The sitemap files of the products, with the last change of each. */
export async function listProductSitemaps(): Promise<{ part: number; lastModified: string }[]> {
  return client()<{ part: number; lastModified: string }[]>`
    select (id - ${FIRST_ID}) / ${PER_FILE} + 1 as part, max(updated_at) as "lastModified"
    from products where listed group by 1 order by 1`;
}

/** Streams the products of one sitemap file, which bounds the memory for large catalogues. */
export async function* streamProductPages(part: number): AsyncGenerator<SitemapPage> {
  const from = FIRST_ID + (part - 1) * PER_FILE;
  type Row = { slug: string; languages: Locale[]; at: string };
  const rows = client()<Row[]>`
    select p.slug, p.updated_at as at,
      (select array_agg(t.locale) from product_texts t where t.product_id = p.id) as languages
    from products p
    where p.listed and p.id >= ${from} and p.id < ${from + PER_FILE}
      and exists (select from plans pl where pl.product_id = p.id and pl.listed)
    order by p.id`.cursor(BATCH);
  for await (const batch of rows)
    for (const { slug, languages, at } of batch)
      yield { path: `/product/${slug}`, languages, lastModified: at };
}

/** Streams all listed products, one line each, in the languages of their texts (`/feeds/products.jsonl`). */
export async function* streamProductFeed(): AsyncGenerator<FeedLine> {
  const rows = client()<{ id: number; languages: Locale[] }[]>`
    select p.id, (select array_agg(t.locale order by array_position('{en,zh,ja}', t.locale))
      from product_texts t where t.product_id = p.id) as languages
    from products p where p.listed order by p.id`.cursor(BATCH);
  for await (const batch of rows)
    for (const { id, languages } of batch) {
      const pages = await Promise.all(languages.map((locale) => findProductPage({ id, locale })));
      const translated = pages.filter((page) => page !== null);
      if (translated[0]?.vip_options.length) yield feedLine(translated);
    }
}

function feedLine(pages: ProductDetail[]): FeedLine {
  const origin = env().APP_URL;
  const [product] = pages as [ProductDetail];
  const at = (locale: Locale) =>
    origin + localizedPath(`/product/${product.slug}`, { locale, surface: "desktop" });
  return {
    product_id: product.product_id,
    slug: product.slug,
    maker: product.maker,
    category: product.category,
    image: `${origin}${product.product_image}&width=960`,
    texts: Object.fromEntries(
      pages.map((page) => [
        page.language,
        {
          url: at(page.language),
          name: page.product_name,
          tagline: page.product_tagline,
          description: page.product_description,
        },
      ]),
    ),
    currency: "USD",
    plans: product.vip_options.map((plan) => ({
      vip_id: plan.vip_id,
      vip_type: plan.vip_type,
      duration_days: plan.duration_days,
      price: plan.price,
      list_price: plan.list_price,
      price_per_day: plan.price_per_day,
      availability: plan.stock_state,
      region: plan.region,
      releases_at: plan.releases_at,
      deal_ends_at: plan.deal?.ends_at ?? null,
      refundable_days: plan.refund.refundable ? plan.refund.days : 0,
    })),
  };
}
