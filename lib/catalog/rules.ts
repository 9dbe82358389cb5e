/** The kinds of pass, short to long (spec §1). Labels are `catalog.pass_type.*` messages. */
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

export const PRODUCT_SORTS = ["recommend", "price_asc", "price_desc", "price_per_day"] as const;
export type ProductSort = (typeof PRODUCT_SORTS)[number];

/** Stock is told exactly at this many or fewer, else only as "in stock" (performance.md, design 3). */
export const LOW_STOCK = 5;

/** At most this many of one plan in an order line. */
export const MAX_QUANTITY = 10;

/** Slugs that would hide another route. */
export const RESERVED_SLUGS = ["detail"] as const;
export const SLUG_PATTERN = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** What one may do with a plan now, from its facts alone. */
export function saleState(plan: {
  availability: Availability;
  stock: number;
}): "buyable" | "pre_order" | "sold_out" {
  if (plan.availability === "pre_order") return "pre_order";
  return plan.availability === "in_stock" && plan.stock > 0 ? "buyable" : "sold_out";
}
