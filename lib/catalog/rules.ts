import type { Locale } from "@/lib/platform/i18n/locales";
import { imageVersion } from "./images/rules";

/** Pass types from short to long (docs/product.md#11-promises). Labels are `catalog.pass_type.*` messages. */
export const PASS_TYPES = ["day", "week", "month", "year", "lifetime"] as const;
export type PassType = (typeof PASS_TYPES)[number];

/** Default length of a pass type in days; a plan may differ (a three-day pass). Lifetime has none. */
export const PASS_DAYS: Record<PassType, number | null> = {
  day: 1,
  week: 7,
  month: 30,
  year: 365,
  lifetime: null,
};

export const AVAILABILITIES = ["in_stock", "pre_order", "paused"] as const;
export type Availability = (typeof AVAILABILITIES)[number];

/** What an entry of a plan's price history changes: the regular price, the list price, or a deal. */
export const PRICE_CHANGE_KINDS = ["price", "list", "deal_start", "deal_end"] as const;
export type PriceChangeKind = (typeof PRICE_CHANGE_KINDS)[number];

/** The last writer of a catalogue record: an import, or a person in the staff console. */
export const RECORD_SOURCES = ["import", "console"] as const;
export type LineSource = (typeof RECORD_SOURCES)[number];

/** SQL: the current availability of `plans pl`; after its release a pre-order is sold from stock. */
export const AVAILABILITY_NOW =
  "(case when pl.availability = 'pre_order' and pl.releases_at <= (select shop_now()) then 'in_stock' else pl.availability end)";

/** How a code is redeemed: the vendor's page, and the steps by language. */
export type Activation = { url: string | null; steps: Record<string, string[]> };

/** Tasks and synonyms for the search, by language. */
export type SearchTerms = Partial<Record<Locale, string[]>>;

export const PRODUCT_SORTS = ["recommend", "price_asc", "price_desc", "price_per_day"] as const;
export type ProductSort = (typeof PRODUCT_SORTS)[number];

/** Stock is shown exactly at this number or fewer, else as "in stock". */
export const LOW_STOCK = 5;

/** A code is sold only while its last day to redeem is at least this far away, unless its plan says otherwise. */
export const REDEEM_MARGIN_DAYS = 14;
export const REDEEM_MARGIN_MAX = 730;

/** The least margin that a plan may have: the buyer of a day or week pass can use up all of it. */
export const leastRedeemMargin = ({ type, days }: { type: PassType; days: number | null }): number =>
  (type === "day" || type === "week") && days !== null ? days : 1;

/** The margin of a plan without one of its own. */
export const defaultRedeemMargin = (plan: { type: PassType; days: number | null }): number =>
  Math.max(REDEEM_MARGIN_DAYS, leastRedeemMargin(plan));

/**
 * SQL: whether `keys k` can be sold: its last day to redeem is the plan's margin away (`sell_by`). The subselect runs once per
 * statement, the bare function once per key.
 */
export const SELLABLE_KEY =
  "k.state = 'available' and (k.sell_by is null or k.sell_by > (select shop_now()))";

/** Stock is counted up to this number, because counting a million keys is slow. */
export const STOCK_COUNTED = 1000;

/** Maximum units of one plan in an order line. */
export const MAX_QUANTITY = 10;

/** Slugs that conflict with a route. */
export const RESERVED_SLUGS = ["detail"] as const;
export const SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** The address of a product's picture; `v` changes with the picture, so responses are immutable. */
export function productImagePath(productId: number, image: string): string {
  return `/admin/product-image/${productId}?v=${imageVersion(image)}`;
}

/** The last position of a list that can be reached by paging; a ranked search ends at CANDIDATES. */
export const LISTED_MATCHES = 2000;

/** Matches are counted up to this number; above it the total is shown as "1,000+". */
export const COUNTED_MATCHES = 1000;

/** The number of most popular matches that a search ranks: one more than are counted, to detect further matches. */
export const CANDIDATES = COUNTED_MATCHES + 1;

/** Passes that can be compared at a time (docs/product.md#10-constants). */
export const COMPARED_MAX = 4;

/** The address of a comparison, by the numbers of the plans. */
export const comparePath = (planIds: readonly number[]): string =>
  planIds.length > 0 ? `/compare?plans=${planIds.join(",")}` : "/compare";

/** The numbers of plans in the query of a comparison: the first four valid ones, each once. */
export function parseComparedPlans(plans: string | undefined): number[] {
  const ids = (plans ?? "")
    .slice(0, 200)
    .split(",")
    .filter((id) => /^[1-9]\d{0,8}$/.test(id));
  return [...new Set(ids.map(Number))].slice(0, COMPARED_MAX);
}

type DailyPrice = { price: number; price_per_day: number | null };

/** The plans with the lowest price per day of those compared: a free one costs nothing, a lifetime one has none. Pure. */
export function findLowestPerDay<P extends DailyPrice>(plans: readonly P[]): P[] {
  const perDay = ({ price, price_per_day }: P) => (price === 0 ? 0 : (price_per_day ?? Infinity));
  const lowest = Math.min(...plans.map(perDay));
  const counted = plans.filter((plan) => perDay(plan) < Infinity);
  return counted.length > 1 ? counted.filter((plan) => perDay(plan) === lowest) : [];
}

/** A shop statistic is shown once it is large enough to mean something (docs/product.md#21-pages). */
const STATS_SHOWN_FROM = { products: 50, vendors: 20, plans: 100, delivered: 1000 } as const;
type Stat = keyof typeof STATS_SHOWN_FROM;

/** The names of the shop statistics that are shown, in the order of the page. */
export const shownStats = (stats: Record<Stat, number>): Stat[] =>
  (Object.keys(STATS_SHOWN_FROM) as Stat[]).filter((name) => stats[name] >= STATS_SHOWN_FROM[name]);
