import { z } from "zod";
import { ListProductsInput, ProductParams, SearchProductsInput } from "@/lib/catalog/contract";

/** Products on one page of a list: with all else a desktop asks for, their pictures stay below 30 requests (docs/performance.md#bars). */
export const LIST_SIZE = 14;

type Query = Record<string, string | string[] | undefined>;

/**
 * Reads a list's query (`/search?q=…`, `/top-trending?sort=…`) as the address bar gives it: a value that makes no
 * sense counts as not given, the first counts of several, an empty one is none. Never fails.
 */
function lenient<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, query: Query) {
  const values = Object.entries(schema.shape).flatMap(([name, field]) => {
    const given = [query[name]].flat()[0]?.trim();
    return given && z.safeParse(field, given).success ? [[name, given]] : [];
  });
  return schema.parse({ ...Object.fromEntries(values), size: LIST_SIZE });
}

/** What `/top-trending` shows; `plain` is its usual state, the only one that search engines index. */
export function parseListQuery(query: Query) {
  const list = lenient(ListProductsInput.pick({ sort: true, page: true, size: true }), query);
  return { list, plain: list.sort === "recommend" && list.page === 1 };
}

/** Whoever writes the higher price first means the same. */
function priceUpwards<Search extends { price_from?: number; price_to?: number }>(search: Search): Search {
  const { price_from: from, price_to: to } = search;
  return from !== undefined && to !== undefined && from > to
    ? { ...search, price_from: to, price_to: from }
    : search;
}

/**
 * What `/search` shows. `filtered`: more than the words narrows it; `blank`: neither words nor filters are given, so
 * there is nothing to look for (docs/product.md#51-fields).
 */
export function parseSearchQuery({ q, ...query }: Query) {
  const search = priceUpwards(
    // Invisible letters are no words: a search for them alone is a blank one.
    lenient(SearchProductsInput, {
      ...query,
      keyword: [q]
        .flat()[0]
        ?.replace(/[\p{Cc}\p{Cf}]/gu, " ")
        .slice(0, 200),
    }),
  );
  const { category, vip_type, in_stock, price_from, price_to, price_per_day_to } = search;
  const filters = [category, vip_type, in_stock || undefined, price_from, price_to, price_per_day_to];
  const filtered = filters.filter((value) => value !== undefined).length;
  return { search, filtered, blank: search.keyword === "" && filtered === 0 };
}
export type SearchQuery = ReturnType<typeof parseSearchQuery>;

/** The number in `/product/detail/{id}`; 0, which no product has, for anything else. */
export function productId(text: string): number {
  const { data } = ProductParams.safeParse({ id: /^\d{1,10}$/.test(text) ? text : 0 });
  return data?.id ?? 0;
}
