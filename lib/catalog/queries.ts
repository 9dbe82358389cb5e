import { type SQL, sql } from "drizzle-orm";
import { type Db, preparedDb, replicaDb } from "@/db/client";
import {
  JOIN_DEALS,
  joinTextsSql,
  type ListSelection,
  listCards,
  PLAN_JSON,
  productJsonSql,
  queryLists,
  stockCountSql,
  toListSelection,
} from "@/lib/catalog/listing/queries";
import { type DetailRow, productDetail } from "@/lib/catalog/product/rules";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { noteTags } from "@/lib/platform/page-cache/tags";
import type { ReviewList } from "@/lib/reviews/contract";
import { listReviews } from "@/lib/reviews/list-reviews";
import { REVIEWS_SHOWN } from "@/lib/reviews/rules";
import {
  type CategoryCard,
  type CategoryPage,
  type CategoryView,
  type ComparedPass,
  ListProductsInput,
  type ProductDetail,
  type ProductItem,
  type ProductList,
  type ProductRange,
  type VendorPage,
} from "./contract";
import { productImagePath, SELLABLE_KEY } from "./rules";

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
  const { locale } = input;
  const condition =
    "slug" in input ? sql`p.slug = ${input.slug.replaceAll("\0", "")}` : sql`p.id = ${input.id}`;
  const [found] = await selectDetails(preparedDb, condition, locale);
  if (!found) noteTags("list");
  else noteTags(`product:${found.row.product.product_id}`, `merchant:${found.row.seller.handle}`);
  return found ? productDetail(found.row, locale) : null;
}

/**
 * Like `findProductPage`, for many products in one statement, which the feed reads from the replica; those without listed plans are
 * left out. Sorted by number.
 */
export async function listProductPages(ids: readonly number[], locale: Locale): Promise<ProductDetail[]> {
  const rows = await selectDetails(replicaDb, sql`p.id = any(${sql.param([...ids])}::int[])`, locale);
  return rows.flatMap(({ row }) => productDetail(row, locale) ?? []);
}

function selectDetails(connection: Db, condition: SQL, locale: Locale) {
  return connection.execute<{ row: DetailRow }>(sql`
    select json_build_object('now', shop_now(), ${productJsonSql(locale)},
      'includes', coalesce(t.includes, e.includes),
      'seller', json_build_object('handle', m.handle, 'name', m.name),
      'activation', p.activation,
      'languages', (select json_agg(l.locale order by array_position('{en,zh,ja}', l.locale))
        from product_texts l where l.product_id = p.id),
      'plans', (select coalesce(json_agg(json_build_object(${PLAN_JSON},
          'purchase_limit', pl.purchase_limit, 'releases_at', case when pl.availability = 'pre_order' then pl.releases_at end, 'region', pl.region,
          'activation', pl.activation, 'includes', coalesce(pl.includes -> ${locale}, pl.includes -> 'en'), 'stock', ${stockCountSql(sql`pl.id`)},
          'redeem_by', (select k.redeem_by from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)}
            order by k.redeem_by, k.created_at, k.id limit 1), 'redeem_margin_days', sell_margin(pl)) order by pl.position), '[]')
        from plans pl ${JOIN_DEALS} where pl.product_id = p.id and pl.listed)) as row
    from products p join merchants m on m.id = p.merchant_id ${joinTextsSql(locale)}
    where p.listed and ${condition} order by p.id`);
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
  listCards(toListSelection(input, locale));

/** The most popular products in stock (`/product/hot`, docs/product.md#73-catalogue-search-blog). */
export const listHotProducts = (locale: Locale): Promise<ProductList> =>
  listWithoutPages({ locale, buyable: true, order: "recommend", limit: HOT_LIMIT });

/** The listed products with these slugs, in this order; for the products of a post. */
export async function listProductsBySlug(slugs: readonly string[], locale: Locale): Promise<ProductList> {
  const list = await listWithoutPages({
    locale,
    productCondition: sql`and o.product_id in (select id from products where slug = any(${sql.param([...slugs])}::text[]))`,
    order: "recommend",
    limit: HOT_LIMIT,
  });
  const positions = new Map(slugs.map((slug, place) => [slug, place]));
  return { ...list, items: list.items.sort((a, b) => positions.get(a.slug)! - positions.get(b.slug)!) };
}

/** Other buyable products of the same category, most popular first. */
export const listRelatedProducts = (product: ProductDetail, locale: Locale): Promise<ProductList> =>
  listWithoutPages({
    locale,
    category: product.category,
    buyable: true,
    productCondition: sql`and o.product_id <> ${product.product_id}`,
    order: "recommend",
    limit: RELATED_LIMIT,
  });

export async function listWithoutPages(selection: Omit<ListSelection, "short">): Promise<ProductList> {
  const list = await listCards({ ...selection, short: true });
  return { ...list, total: list.items.length };
}

/**
 * The page of a category (`/category/{slug}`, docs/product.md#21-pages), or null for an unknown or empty one. Its artwork
 * shows the most popular products.
 */
export async function findCategoryPage(
  slug: string,
  input: PageInput,
  locale: Locale,
): Promise<CategoryPage | null> {
  const all = await listCategoryCards(locale);
  const category = all.find((card) => card.category === slug);
  if (!category) return null;
  const products = await listProducts(ListProductsInput.parse({ ...input, category: slug }), locale);
  return { category, products, others: all.filter((card) => card !== category) };
}

type PageInput = Pick<ListProductsInput, "sort" | "page" | "size">;

/** The products of artwork. */
const ART_LIMIT = 3;

/** The categories with products, with the texts and artwork of their pages. */
export async function listCategoryCards(locale: Locale): Promise<CategoryCard[]> {
  noteTags("list");
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

/** The page of a vendor with a product on sale (`/vendor/{slug}`, docs/product.md#21-pages), or null. */
export async function findVendorPage(
  slug: string,
  input: PageInput,
  locale: Locale,
): Promise<VendorPage | null> {
  const range = await listProductRange(sql`p.vendor_slug = ${slug}`, input, locale);
  const { vendor, ...page } = range;
  return vendor === null ? null : { ...page, vendor, vendor_slug: slug };
}

/** The listed products of a merchant, as the page of a vendor shows its own. */
export async function listMerchantProducts(
  merchantId: string,
  input: PageInput,
  locale: Locale,
): Promise<ProductRange> {
  const { vendor: _, ...page } = await listProductRange(sql`p.merchant_id = ${merchantId}`, input, locale);
  return page;
}

/** A page of the products `p` that fit the condition, with their categories, artwork, and the vendor of the first. */
async function listProductRange(
  condition: SQL,
  input: PageInput,
  locale: Locale,
): Promise<ProductRange & { vendor: string | null }> {
  noteTags("list");
  const products = await listCards({
    ...toListSelection(ListProductsInput.parse(input), locale),
    productCondition: sql`and o.product_id in (select p.id from products p where ${condition})`,
  });
  type Row = { vendor: string; id: number; image: string; category: string; name: string };
  const rows = await preparedDb.execute<Row>(sql`
    select p.vendor, p.id, p.image, c.slug as category, coalesce(c.names ->> ${locale}, c.names ->> 'en') as name
    from products p join categories c on c.slug = p.category
    where ${condition} and p.listed
      and exists (select from listing_index o where o.product_id = p.id)
    order by p.sort_num desc, p.id limit ${RANGE_PRODUCTS}`);
  const categories = new Map<string, CategoryView>();
  for (const { category, name } of rows) {
    const total = (categories.get(category)?.total ?? 0) + 1;
    categories.set(category, { category, category_name: name, total });
  }
  return {
    vendor: rows[0]?.vendor ?? null,
    images: rows.slice(0, ART_LIMIT).map(({ id, image }) => productImagePath(id, image)),
    categories: [...categories.values()],
    products,
  };
}

/** Products of a vendor or merchant whose categories its page names. */
const RANGE_PRODUCTS = 1000;

/** The passes with these numbers, in this order, without those that are not on sale (`/compare`, docs/product.md#21-pages). */
export async function listComparedPasses(
  planIds: readonly number[],
  locale: Locale,
): Promise<ComparedPass[]> {
  if (planIds.length === 0) return [];
  const rows = await selectDetails(
    preparedDb,
    sql`p.id in (select product_id from plans where id = any(${sql.param([...planIds])}::int[]) and listed)`,
    locale,
  );
  const passes = new Map<number, ComparedPass>();
  for (const { row } of rows) {
    const { vip_options, ...product } = productDetail(row, locale) ?? { vip_options: [] };
    for (const plan of vip_options)
      passes.set(plan.vip_id, { product: product as ComparedPass["product"], plan });
  }
  return planIds.flatMap((id) => passes.get(id) ?? []);
}

/** Running, buyable deals, soonest end first (`/product/discount`, docs/product.md#73-catalogue-search-blog). */
export const listDiscountedProducts = (locale: Locale): Promise<ProductList> =>
  listWithoutPages(selectRunningDeals(locale, DEALS_LIMIT));

export const selectRunningDeals = (locale: Locale, limit: number): ListSelection => ({
  locale,
  buyable: true,
  onDeal: true,
  order: "first_ending",
  limit,
});

export const categoriesSql = (locale: Locale) =>
  sql`(select coalesce(json_agg(json_build_object('category', c.slug,
      'category_name', coalesce(c.names ->> ${locale}, c.names ->> 'en'), 'total', n.total)
      order by c.sort_num, c.slug), '[]')
    from categories c join catalog_counts n on n.kind = 'category' and n.name = c.slug and n.total > 0)`;

export async function listCategories(locale: Locale): Promise<CategoryView[]> {
  noteTags("list");
  const { categories } = await queryLists<{ categories: CategoryView[] }>(
    sql`${categoriesSql(locale)} as categories`,
  );
  return categories;
}
