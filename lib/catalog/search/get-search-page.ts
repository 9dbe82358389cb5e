import { sql } from "drizzle-orm";
import { preparedDb } from "@/db/client";
import type { SearchQuery } from "@/lib/catalog/listing/contract";
import { listCategories } from "@/lib/catalog/listing/list-categories";
import { listHotProducts } from "@/lib/catalog/listing/list-products";
import { stripInvalidCharacters } from "@/lib/catalog/listing/listing-index-sql";
import type { Locale } from "@/lib/platform/i18n/locales";
import { searchProducts } from "./search-products";

const POPULAR_LIMIT = 4;

/** The data of the search page; popular products are read only when there are no results. */
export async function getSearchPage(query: SearchQuery, locale: Locale, { blankIsAll = false } = {}) {
  const { seller } = query.search;
  const [results, categories, sellerName] = await Promise.all([
    query.blank && !blankIsAll ? null : searchProducts(query.search, locale),
    listCategories(locale),
    seller === undefined ? null : findSellerName(seller),
  ]);
  const popular = results && results.items.length > 0 ? [] : (await listHotProducts(locale)).items;
  return { query, found: results, categories, sellerName, popular: popular.slice(0, POPULAR_LIMIT) };
}

/** The name of the merchant whose passes a search is limited to; null: there is none. */
async function findSellerName(handle: string): Promise<string | null> {
  const rows = await preparedDb.execute<{ name: string }>(sql`
    select name from merchants where handle = ${stripInvalidCharacters(handle)} and state in ('active', 'paused')`);
  return rows[0]?.name ?? null;
}
