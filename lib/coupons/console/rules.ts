/** The most that a new campaign may promise a month, in US dollars. More needs a second person, as a change. */
export const NEW_CAMPAIGN_BUDGET = 5_000;

/** Coupons of a campaign are counted to this number; above it they are "more than". */
export const COUNTED_COUPONS = 100;
