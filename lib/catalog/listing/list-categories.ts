import { sql } from "drizzle-orm";
import { preparedDb } from "@/db/client";
import type { CategoryCard, CategoryView } from "@/lib/catalog/contract";
import { productImagePath } from "@/lib/catalog/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { addCacheTags } from "@/lib/platform/page-cache/tags";
import { queryLists } from "./list-cards";

/** The products of artwork. */
export const ART_LIMIT = 3;

/** The categories with products, with the texts and artwork of their pages. */
export async function listCategoryCards(locale: Locale): Promise<CategoryCard[]> {
  addCacheTags("list");
  type Row = Omit<CategoryCard, "images"> & { products: { id: number; image: string }[] };
  const rows = await preparedDb.execute<Row>(sql`
    select c.slug as category, coalesce(c.names ->> ${locale}, c.names ->> 'en') as category_name, c.hue, n.total,
      coalesce(c.texts ->> ${locale}, c.texts ->> 'en') as text, coalesce(art.products, '[]') as products
    from categories c join catalog_counts n on n.kind = 'category' and n.name = c.slug and n.total > 0
    cross join lateral (
      select json_agg(json_build_object('id', p.id, 'image', p.image) order by o.sort_num desc, o.product_id) as products
      from (select product_id, sort_num from listing_index where best and category = c.slug
        order by sort_num desc, product_id limit ${ART_LIMIT}) o
      join products p on p.id = o.product_id) art
    order by c.sort_num, c.slug`);
  return rows.map(({ products, ...card }) => ({
    ...card,
    images: products.map(({ id, image }) => productImagePath(id, image)),
  }));
}

export const categoriesSql = (locale: Locale) =>
  sql`(select coalesce(json_agg(json_build_object('category', c.slug,
      'category_name', coalesce(c.names ->> ${locale}, c.names ->> 'en'), 'total', n.total)
      order by c.sort_num, c.slug), '[]')
    from categories c join catalog_counts n on n.kind = 'category' and n.name = c.slug and n.total > 0)`;

export async function listCategories(locale: Locale): Promise<CategoryView[]> {
  addCacheTags("list");
  const { categories } = await queryLists<{ categories: CategoryView[] }>(
    sql`${categoriesSql(locale)} as categories`,
  );
  return categories;
}
