/** The newest sold lines from which the figures of a merchant's page are counted. */
export const SELLER_SALES = 500;
/** From so many sold codes on, the share of those that worked is shown. */
export const WORKED_FROM = 20;
/** From so many answered requests on, the time to answer is shown. */
export const ANSWERS_FROM = 3;

/** The share of codes that were not replaced, in whole per cent rounded down; null for too few. */
export const workedShare = (units: number, replaced: number): number | null =>
  units < WORKED_FROM ? null : Math.floor((100 * Math.max(0, units - replaced)) / units);
