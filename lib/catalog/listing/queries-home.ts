import type { CategoryView, ProductItem, ProductList, ShopStats } from "@/lib/catalog/contract";
import { categoriesOf, onDeal } from "@/lib/catalog/queries";
import type { Locale } from "@/lib/platform/i18n/locales";
import { askLists, type Cards, cardsOf, itemsOf, listCards, type Selection } from "./queries";
import type { Sql } from "./queries-index";

export type HomePage = {
  featured: ProductItem[];
  deals: ProductItem[];
  free: ProductItem[];
  categories: CategoryView[];
  stats: ShopStats;
};

const statsOf = (sql: Sql) => sql`(
  select json_build_object('products', coalesce(sum(c.total) filter (where c.kind = 'category'), 0),
    'vendors', coalesce(sum(c.total) filter (where c.kind = 'vendors'), 0),
    'plans', coalesce(sum(c.total) filter (where c.kind = 'plan'), 0),
    'delivered', (select count(*) from keys where state = 'assigned'))
  from catalog_counts c where c.kind in ('category', 'vendors', 'plan'))`;

/** Products in a section of the home page. */
const FEATURED = 6;
const FREE_FEATURED = 4;
const FREE = 60;

const freeOnes = (locale: Locale, limit: number): Selection => ({
  locale,
  buyable: true,
  to: 0,
  order: "recommend",
  limit,
});

/** Free passes that can be claimed now. */
export async function listFreeProducts(locale: Locale): Promise<ProductList> {
  const list = await listCards(() => ({ ...freeOnes(locale, FREE), short: true }));
  return { ...list, total: list.items.length };
}

export async function getHomePage(locale: Locale): Promise<HomePage> {
  type Row = { featured: Cards; deals: Cards; free: Cards; categories: CategoryView[]; stats: ShopStats };
  const row = await askLists<Row>((sql) => {
    const cards = (selection: Selection) => cardsOf(sql, { ...selection, short: true });
    return sql`${cards({ locale, buyable: true, order: "recommend", limit: FEATURED })} as featured,
      ${cards(onDeal(locale, FEATURED))} as deals, ${cards(freeOnes(locale, FREE_FEATURED))} as free,
      ${categoriesOf(sql, locale)} as categories, ${statsOf(sql)} as stats`;
  });
  const now = new Date(row.now);
  return {
    featured: itemsOf(row.featured, now),
    deals: itemsOf(row.deals, now),
    free: itemsOf(row.free, now),
    categories: row.categories,
    stats: row.stats,
  };
}
