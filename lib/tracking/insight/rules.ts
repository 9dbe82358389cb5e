/** Days of a period that the figures by source are summed over, today included. */
export const INSIGHT_DAYS = [7, 30, 90] as const;
export type InsightDays = (typeof INSIGHT_DAYS)[number];

/** Characters of a source's name that are kept. */
export const SOURCE_LENGTH = 80;
/** Sources of a day that are counted by name, those with most orders and visits; the others are counted together. */
export const MAX_SOURCES = 200;

/** Searches that were made fewer times are not shown, because a rare one may name a person. */
export const MIN_SEARCHES = 3;
/** Days of searches that the nightly counts look at. */
export const SEARCH_DAYS = 28;
/** The most frequent searches that are checked for results. */
export const ASKED_SEARCHES = 1_000;
/** Results of each that are counted for their merchants. */
export const FIRST_RESULTS = 10;
