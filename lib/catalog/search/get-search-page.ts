import type { SearchQuery } from "@/lib/catalog/listing/contract";
import { listCategories } from "@/lib/catalog/listing/list-categories";
import { listHotProducts } from "@/lib/catalog/listing/list-products";
import type { Locale } from "@/lib/platform/i18n/locales";
import { searchProducts } from "./search-products";

const POPULAR_LIMIT = 4;

/** The data of the search page; popular products are read only when there are no results. */
export async function getSearchPage(query: SearchQuery, locale: Locale, { blankIsAll = false } = {}) {
  const [results, categories] = await Promise.all([
    query.blank && !blankIsAll ? null : searchProducts(query.search, locale),
    listCategories(locale),
  ]);
  const popular = results && results.items.length > 0 ? [] : (await listHotProducts(locale)).items;
  return { query, found: results, categories, popular: popular.slice(0, POPULAR_LIMIT) };
}
