import { imageVersion } from "./images/rules";

/** The kinds of pass, short to long (docs/product.md#11-promises). Labels are `catalog.pass_type.*` messages. */
export const PASS_TYPES = ["day", "week", "month", "year", "lifetime"] as const;
export type PassType = (typeof PASS_TYPES)[number];

/** Usual length of a pass in days; a plan may state another (a three-day pass). Lifetime has none. */
export const PASS_DAYS: Record<PassType, number | null> = {
  day: 1,
  week: 7,
  month: 30,
  year: 365,
  lifetime: null,
};

export const AVAILABILITIES = ["in_stock", "pre_order", "paused"] as const;
export type Availability = (typeof AVAILABILITIES)[number];

/** The availability of `plans pl` at this moment, as SQL: what has come out is sold from stock, or sold out. */
export const AVAILABILITY_NOW =
  "(case when pl.availability = 'pre_order' and pl.releases_at <= (select shop_now()) then 'in_stock' else pl.availability end)";

export const PRODUCT_SORTS = ["recommend", "price_asc", "price_desc", "price_per_day"] as const;
export type ProductSort = (typeof PRODUCT_SORTS)[number];

/** Stock is told exactly at this many or fewer, else only as "in stock" (docs/decisions/0021-cache-rendered-public-pages-in-the-server-process.md). */
export const LOW_STOCK = 5;

/**
 * What may be sold of `keys k`, as SQL: free, and not past the day by which it must be redeemed. The subselect is
 * evaluated once per statement, the function alone once per key.
 */
export const SELLABLE_KEY =
  "k.state = 'available' and (k.redeem_by is null or k.redeem_by > (select shop_now()))";

/** Stock is counted up to here: nobody reads more, and a million keys stay cheap to count. */
export const STOCK_COUNTED = 1000;

/** At most this many of one plan in an order line. */
export const MAX_QUANTITY = 10;

/** Slugs that would hide another route. */
export const RESERVED_SLUGS = ["detail"] as const;
export const SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The address of a product's picture; `v` changes with the picture, so the answer may be kept for ever. */
export function productImagePath(productId: number, image: string): string {
  return `/admin/product-image/${productId}?v=${imageVersion(image)}`;
}

/** A list can be read this far, page by page; what a search ranks, as far as CANDIDATES. */
export const LISTED_MATCHES = 2000;

/** Matches are counted up to here; more are told as "1,000+". */
export const COUNTED_MATCHES = 1000;

/** A search ranks this many matches, the most popular first: all that are counted, and one to know whether there are more. */
export const CANDIDATES = COUNTED_MATCHES + 1;
