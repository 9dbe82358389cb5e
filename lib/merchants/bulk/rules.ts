/** The maximum number of plans in one call. */
export const BULK_PLANS = 200;
/** The maximum number of plans of one deal. */
export const DEAL_PLANS = 10_000;
export const DEAL_PERCENT_MAX = 90;
export const DEAL_UNITS_MAX = 1_000_000;
/** Milliseconds after which a call starts no further product; the next call continues. */
export const APPLY_MS = 1_500;
/** The maximum number of products in one call. */
export const APPLY_PRODUCTS = 40;
