/**
 * The queries that change a cached page, with the values that do, as regular expressions. Next makes them part of the
 * page's path (next.config.ts), nginx of its cache key (scripts/write-front-files.ts). No other query or value changes a
 * page, except `q`.
 */
export const PAGE_QUERIES = {
  sort: "price_asc|price_desc|price_per_day",
  page: "[2-9]|[1-9]\\d{1,2}",
  plan: "[1-9]\\d{0,8}",
} as const;
