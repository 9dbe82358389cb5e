import type { Locale } from "@/lib/i18n";
import type { SearchQuery } from "./contract-page";
import { listCategories, listHotProducts, searchProducts } from "./queries";

const POPULAR = 4;

/** All that the search page shows; what goes best is looked up only where nothing else is there to show. */
export async function getSearchPage(query: SearchQuery, locale: Locale) {
  const [found, categories] = await Promise.all([
    query.blank ? null : searchProducts(query.search, locale),
    listCategories(locale),
  ]);
  const popular = found && found.items.length > 0 ? [] : (await listHotProducts(locale)).items;
  return { query, found, categories, popular: popular.slice(0, POPULAR) };
}
