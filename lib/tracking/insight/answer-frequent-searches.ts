import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { SearchProductsInput } from "@/lib/catalog/contract";
import { searchFold } from "@/lib/catalog/search/rules-text";
import { searchProducts } from "@/lib/catalog/search/search-products";
import { hasCode } from "@/lib/delivery/code-text/find-codes";
import { isLocale, type Locale } from "@/lib/platform/i18n/locales";
import { ASKED_SEARCHES, FIRST_RESULTS, MIN_SEARCHES, SEARCH_DAYS } from "@/lib/tracking/insight/rules";

/** A frequent search of the last weeks with its current results. */
export type AnsweredSearch = FrequentSearch & {
  /** normalized as by the search */
  folded: string;
  total: number;
  /** the products of the first results */
  products: number[];
};

/**
 * Runs the most frequent searches of the last weeks again, including similar products. Leaves out those that the search
 * rejects.
 */
export async function answerFrequentSearches(): Promise<AnsweredSearch[]> {
  const answered: AnsweredSearch[] = [];
  for (const search of await listFrequentSearches(ASKED_SEARCHES)) {
    const input = SearchProductsInput.safeParse({ keyword: search.content, size: FIRST_RESULTS });
    if (!input.success) continue;
    const { total, items } = await searchProducts(input.data, search.locale);
    const products = items.slice(0, FIRST_RESULTS).map(({ product_id }) => product_id);
    answered.push({ ...search, folded: searchFold(search.content), total, products });
  }
  return answered;
}

type FrequentSearch = { content: string; locale: Locale; searches: number; lastAt: string };

/**
 * The most frequent searches of the last weeks, for the nightly counts. Rare ones are left out, and those with an email
 * address or an activation code, which one visitor may paste repeatedly.
 */
async function listFrequentSearches(limit: number): Promise<FrequentSearch[]> {
  const rows = await db.execute<Omit<FrequentSearch, "locale"> & { locale: string }>(sql`
    select lower(btrim(content)) as content, locale, count(*)::int as searches, max(created_at) as "lastAt" from searches
    where created_at >= shop_now() - make_interval(days => ${SEARCH_DAYS}) and length(btrim(content)) between 1 and 100
      and position('@' in content) = 0
    group by 1, 2 having count(*) >= ${MIN_SEARCHES} order by 3 desc, 1, 2 limit ${limit}`);
  const found: FrequentSearch[] = [];
  for (const row of rows)
    if (!(await hasCode(db, row.content)))
      found.push({ ...row, locale: isLocale(row.locale) ? row.locale : "en" });
  return found;
}
