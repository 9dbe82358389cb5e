import { client } from "@/db/client";
import {
  joinDealsSql,
  joinTextsSql,
  type ListSelection,
  listCards,
  planJsonSql,
  productJsonSql,
  queryLists,
  stockCountSql,
  toListSelection,
} from "@/lib/catalog/listing/queries";
import type { Sql, SqlFragment } from "@/lib/catalog/listing/queries-index";
import { type DetailRow, productDetail } from "@/lib/catalog/product/rules";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { noteTags } from "@/lib/platform/page-cache/tags";
import type { ReviewList } from "@/lib/reviews/contract";
import { listReviews } from "@/lib/reviews/queries";
import { REVIEWS_SHOWN } from "@/lib/reviews/rules";
import type { CategoryView, ListProductsInput, ProductDetail, ProductItem, ProductList } from "./contract";
import { SELLABLE_KEY } from "./rules";

/** A product by slug or number. */
export type ProductRef = { slug: string } | { id: number };
const HOT_LIMIT = 12;
const RELATED_LIMIT = 4;
/** Deal pages have no paging; further deals are not shown. */
const DEALS_LIMIT = 60;

/**
 * The product with its plans, prices, stock and refund rules (`/product/detail/{id}`,
 * docs/product.md#73-catalogue-search-blog), or null. Missing translations are in English, and `language` says so.
 */
export async function findProductPage(input: ProductRef & { locale: Locale }): Promise<ProductDetail | null> {
  const sql = client();
  const { locale } = input;
  const condition =
    "slug" in input ? sql`p.slug = ${input.slug.replaceAll("\0", "")}` : sql`p.id = ${input.id}`;
  const [found] = await selectDetails(condition, locale);
  noteTags(found ? `product:${found.row.product.product_id}` : "list");
  return found ? productDetail(found.row, locale) : null;
}

/** Like `findProductPage`, for many products in one statement; those without listed plans are left out. Sorted by number. */
export async function listProductPages(ids: readonly number[], locale: Locale): Promise<ProductDetail[]> {
  const rows = await selectDetails(client()`p.id = any(${[...ids]}::int[])`, locale);
  return rows.flatMap(({ row }) => productDetail(row, locale) ?? []);
}

function selectDetails(condition: SqlFragment, locale: Locale) {
  const sql = client();
  return sql<{ row: DetailRow }[]>`
    select json_build_object('now', shop_now(), ${productJsonSql(sql, locale)},
      'includes', coalesce(t.includes, e.includes),
      'activation', p.activation,
      'languages', (select json_agg(l.locale order by array_position('{en,zh,ja}', l.locale))
        from product_texts l where l.product_id = p.id),
      'plans', (select coalesce(json_agg(json_build_object(${planJsonSql(sql)},
          'purchase_limit', pl.purchase_limit, 'releases_at', pl.releases_at, 'region', pl.region,
          'activation', pl.activation, 'includes', coalesce(pl.includes -> ${locale}, pl.includes -> 'en'), 'stock', ${stockCountSql(sql, sql`pl.id`)},
          'redeem_by', (select k.redeem_by from keys k where k.plan_id = pl.id and ${sql.unsafe(SELLABLE_KEY)}
            order by k.redeem_by, k.created_at, k.id limit 1)) order by pl.position), '[]')
        from plans pl ${joinDealsSql(sql)} where pl.product_id = p.id and pl.listed)) as row
    from products p ${joinTextsSql(sql, locale)}
    where p.listed and ${condition} order by p.id`;
}

/** Like `findProductPage`, for an existing product. @throws ShopError product_unknown */
export async function getProductPage(input: ProductRef & { locale: Locale }): Promise<ProductDetail> {
  const product = await findProductPage(input);
  if (!product) throw new ShopError("product_unknown");
  return product;
}

export type ProductView = { product: ProductDetail; reviews: ReviewList; related: ProductItem[] };

/** The data of a product's page; null when there is no such product. */
export async function findProductView(input: ProductRef & { locale: Locale }): Promise<ProductView | null> {
  const product = await findProductPage(input);
  if (!product) return null;
  const [reviews, related] = await Promise.all([
    listReviews({ product_id: product.product_id, page: 1, size: REVIEWS_SHOWN }),
    listRelatedProducts(product, input.locale),
  ]);
  return { product, reviews, related: related.items };
}

/** A page of the catalogue, filtered and sorted (`/product/list`, docs/product.md#73-catalogue-search-blog). */
export const listProducts = (input: ListProductsInput, locale: Locale): Promise<ProductList> =>
  listCards(() => toListSelection(input, locale));

/** The most popular products in stock (`/product/hot`, docs/product.md#73-catalogue-search-blog). */
export const listHotProducts = (locale: Locale): Promise<ProductList> =>
  listWithoutPages(() => ({ locale, buyable: true, order: "recommend", limit: HOT_LIMIT }));

/** The listed products with these slugs, in this order; for the products of a post. */
export async function listProductsBySlug(slugs: readonly string[], locale: Locale): Promise<ProductList> {
  const list = await listWithoutPages((sql) => ({
    locale,
    productCondition: sql`and o.product_id in (select id from products where slug = any(${[...slugs]}::text[]))`,
    order: "recommend",
    limit: HOT_LIMIT,
  }));
  const positions = new Map(slugs.map((slug, place) => [slug, place]));
  return { ...list, items: list.items.sort((a, b) => positions.get(a.slug)! - positions.get(b.slug)!) };
}

/** Other buyable products of the same category, most popular first. */
export const listRelatedProducts = (product: ProductDetail, locale: Locale): Promise<ProductList> =>
  listWithoutPages((sql) => ({
    locale,
    category: product.category,
    buyable: true,
    productCondition: sql`and o.product_id <> ${product.product_id}`,
    order: "recommend",
    limit: RELATED_LIMIT,
  }));

export async function listWithoutPages(
  select: (sql: Sql) => Omit<ListSelection, "short">,
): Promise<ProductList> {
  const list = await listCards((sql) => ({ ...select(sql), short: true }));
  return { ...list, total: list.items.length };
}

/** Running, buyable deals, soonest end first (`/product/discount`, docs/product.md#73-catalogue-search-blog). */
export const listDiscountedProducts = (locale: Locale): Promise<ProductList> =>
  listWithoutPages(() => selectRunningDeals(locale, DEALS_LIMIT));

export const selectRunningDeals = (locale: Locale, limit: number): ListSelection => ({
  locale,
  buyable: true,
  onDeal: true,
  order: "first_ending",
  limit,
});

export const categoriesSql = (sql: Sql, locale: Locale) =>
  sql`(select coalesce(json_agg(json_build_object('category', c.slug,
      'category_name', coalesce(c.names ->> ${locale}, c.names ->> 'en'), 'total', n.total)
      order by c.sort_num, c.slug), '[]')
    from categories c join catalog_counts n on n.kind = 'category' and n.name = c.slug and n.total > 0)`;

export async function listCategories(locale: Locale): Promise<CategoryView[]> {
  noteTags("list");
  const { categories } = await queryLists<{ categories: CategoryView[] }>(
    (sql) => sql`${categoriesSql(sql, locale)} as categories`,
  );
  return categories;
}
