/** Totals are counted to this number; above it they are "more than". */
export const MAX_COUNTED = 1_000;
