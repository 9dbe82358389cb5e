import { sql } from "drizzle-orm";
import type { CategoryView, ProductList, ShopStats } from "@/lib/catalog/contract";
import type { Locale } from "@/lib/platform/i18n/locales";
import { type Cards, cardsSql, type ListSelection, queryLists, toProductItems } from "./list-cards";
import { categoriesSql } from "./list-categories";
import { listWithoutPages, selectRunningDeals } from "./list-products";

const STATS = sql`(
  select json_build_object('products', coalesce(sum(c.total) filter (where c.kind = 'category'), 0),
    'vendors', coalesce(sum(c.total) filter (where c.kind = 'vendors'), 0),
    'plans', coalesce(sum(c.total) filter (where c.kind = 'plan'), 0),
    'delivered', (select count(*) from keys where state = 'assigned'))
  from catalog_counts c where c.kind in ('category', 'vendors', 'plan'))`;

const FEATURED = 6;
/** Deals, and free passes. The page stays within its bar of HTML with these (docs/performance.md#bars). */
const SHORT_LIST = 4;
const FREE_LIMIT = 60;

const freePasses = (locale: Locale, limit: number): ListSelection => ({
  locale,
  buyable: true,
  maxPriceCents: 0,
  order: "recommend",
  limit,
});

export const listFreeProducts = (locale: Locale): Promise<ProductList> =>
  listWithoutPages(freePasses(locale, FREE_LIMIT));

export async function getHomePage(locale: Locale) {
  type Row = { featured: Cards; deals: Cards; free: Cards; categories: CategoryView[]; stats: ShopStats };
  const cards = (selection: ListSelection) => cardsSql({ ...selection, short: true });
  const row = await queryLists<Row>(sql`
    ${cards({ locale, buyable: true, order: "recommend", limit: FEATURED })} as featured,
    ${cards(selectRunningDeals(locale, SHORT_LIST))} as deals, ${cards(freePasses(locale, SHORT_LIST))} as free,
    ${categoriesSql(locale)} as categories, ${STATS} as stats`);
  const now = new Date(row.now);
  return {
    featured: toProductItems(row.featured, locale, now),
    deals: toProductItems(row.deals, locale, now),
    free: toProductItems(row.free, locale, now),
    categories: row.categories,
    stats: row.stats,
  };
}
