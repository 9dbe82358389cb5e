/** Days of sales of which the part is counted that the shop paid by its coupons. */
export const DISCOUNT_DAYS = 30;
/** From this part of the prices on, and from this sum, a merchant is put before staff. */
export const HIGH_DISCOUNT_SHARE = 0.25;
export const HIGH_DISCOUNT_CENTS = 5_000;
/**
 * What staff have reviewed is flagged again when the share grew to this many tenths of the share that they saw, or
 * after these days.
 */
export const REVIEW_GROWTH_TENTHS = 12;
export const REVIEW_DAYS = 30;
