/** Plans of one call that pauses many. */
export const BULK_PLANS = 200;
/** Plans of a deal for all. */
export const DEAL_PLANS = 10_000;
export const DEAL_PERCENT_MAX = 90;
export const DEAL_UNITS_MAX = 1_000_000;
/** Milliseconds after which a call takes no further product; the next call goes on. */
export const APPLY_MS = 1_500;
/** Products that a call looks at. */
export const APPLY_PRODUCTS = 40;
