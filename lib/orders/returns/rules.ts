/**
 * Units that a buyer may return unrevealed within a week, counted per account, email identity, card and address group.
 * Beyond them the shop sells with immediate delivery only.
 */
export const UNREVEALED_RETURNS_MAX = 10;
export const UNREVEALED_RETURNS_DAYS = 7;
