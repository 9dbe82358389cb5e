import { z } from "zod";
import { ListProductsInput, ProductParams, SearchProductsInput } from "@/lib/catalog/contract";
import { parseTypedNumber } from "@/lib/platform/typed-number";

/** Products on one page of a list; keeps a page below 30 requests (docs/performance.md#bars). */
export const LIST_SIZE = 14;

type Query = Record<string, string | string[] | undefined>;

/** Filters whose amounts are typed into the form of `/search`. */
const TYPED_FIELDS = ["price_from", "price_to", "price_per_day_to"];

/** Parses a page's query: the first value of each field, without invalid and empty ones. Never throws. */
function parseLeniently<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, query: Query) {
  const values = Object.entries(schema.shape).flatMap(([name, field]) => {
    const text = [query[name]].flat()[0]?.trim();
    const value = text && TYPED_FIELDS.includes(name) ? parseTypedNumber(text) : text;
    return value !== undefined && value !== "" && z.safeParse(field, value).success ? [[name, value]] : [];
  });
  return schema.parse({ ...Object.fromEntries(values), size: LIST_SIZE });
}

/** Parses the query of `/top-trending`; `plain`: the default state, the only one that search engines may index. */
export function parseListQuery(query: Query) {
  const list = parseLeniently(ListProductsInput.pick({ sort: true, page: true, size: true }), query);
  return { list, plain: list.sort === "recommend" && list.page === 1 };
}

/** Swaps the prices when the higher one comes first. */
function orderPrices<Search extends { price_from?: number; price_to?: number }>(search: Search): Search {
  const { price_from: from, price_to: to } = search;
  return from !== undefined && to !== undefined && from > to
    ? { ...search, price_from: to, price_to: from }
    : search;
}

/** Parses the query of `/search`. `filtered`: number of filters besides the keyword; `blank`: neither. */
export function parseSearchQuery({ q, ...query }: Query) {
  const { pass_type, ...fields } = orderPrices(
    // A keyword of invisible characters only is blank.
    parseLeniently(SearchProductsInput, {
      ...query,
      keyword: [q]
        .flat()[0]
        ?.replace(/[\p{Cc}\p{Cf}]/gu, " ")
        .slice(0, 200),
    }),
  );
  // Addresses of pages name the type `vip_type`, as they always have; both names of the API's filter are read.
  const search = { ...fields, vip_type: pass_type ?? fields.vip_type };
  const { category, seller, vip_type, in_stock, price_from, price_to, price_per_day_to } = search;
  const filters = [category, seller, vip_type, in_stock || undefined, price_from, price_to, price_per_day_to];
  const filtered = filters.filter((value) => value !== undefined).length;
  return { search, filtered, blank: search.keyword === "" && filtered === 0 };
}
export type SearchQuery = ReturnType<typeof parseSearchQuery>;

/** The number in `/product/detail/{id}`; 0 for anything else, leading zeros included, so that a product has one address. */
export function productId(text: string): number {
  const { data } = ProductParams.safeParse({ id: /^[1-9]\d{0,9}$/.test(text) ? text : 0 });
  return data?.id ?? 0;
}
