import { sql } from "drizzle-orm";
import type { ListProductsInput, ProductDetail, ProductList } from "@/lib/catalog/contract";
import type { Locale } from "@/lib/platform/i18n/locales";
import { type ListSelection, listCards, toListSelection } from "./list-cards";

const HOT_LIMIT = 12;
const RELATED_LIMIT = 4;
/** Deal pages have no paging; further deals are not shown. */
const DEALS_LIMIT = 60;

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
