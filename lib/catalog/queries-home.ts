import { client } from "@/db/client";
import type { Locale } from "@/lib/i18n";
import type { CategoryView, ProductItem, ProductList, ShopStats } from "./contract";
import { categoriesOf, onDeal } from "./queries";
import { type Cards, cardsOf, itemsOf, listCards } from "./queries-list";

export type HomePage = {
  featured: ProductItem[];
  deals: ProductItem[];
  free: ProductItem[];
  categories: CategoryView[];
  stats: ShopStats;
};

const FEATURED = 6;
const FREE = 60;

const freeOnes = (sql: ReturnType<typeof client>, locale: Locale, limit: number) => ({
  locale,
  products: sql`and exists (select from plans fp where fp.product_id = p.id and fp.listed and fp.price_cents = 0)`,
  offers: sql`and o.buyable and o.cents = 0`,
  order: sql`p.sort_num desc, p.id`,
  limit,
});

/** Free passes that can be claimed now. */
export async function listFreeProducts(locale: Locale): Promise<ProductList> {
  const list = await listCards((sql) => freeOnes(sql, locale, FREE));
  return { ...list, total: list.items.length };
}

/** All that the home page shows. */
export async function getHomePage(locale: Locale): Promise<HomePage> {
  const sql = client();
  const usual = sql`p.sort_num desc, p.id`;
  const featured = cardsOf(sql, { locale, offers: sql`and o.buyable`, order: usual, limit: FEATURED });
  const deals = cardsOf(sql, onDeal(sql, locale, FEATURED));
  const free = cardsOf(sql, freeOnes(sql, locale, FEATURED));
  type Row = {
    now: string;
    featured: Cards;
    deals: Cards;
    free: Cards;
    categories: CategoryView[];
    stats: ShopStats;
  };
  const [row] = await sql<Row[]>`
    select to_json(shop_now()) as now, ${featured} as featured, ${deals} as deals, ${free} as free,
      ${categoriesOf(sql, locale)} as categories,
      (select json_build_object('products', count(distinct p.id), 'makers', count(distinct p.maker),
        'plans', count(*), 'delivered', (select count(*) from keys where state = 'assigned'))
        from products p join plans pl on pl.product_id = p.id and pl.listed where p.listed) as stats`;
  const now = new Date(row!.now);
  return {
    featured: itemsOf(row!.featured, now),
    deals: itemsOf(row!.deals, now),
    free: itemsOf(row!.free, now),
    categories: row!.categories,
    stats: row!.stats,
  };
}
