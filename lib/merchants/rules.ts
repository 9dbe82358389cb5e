/** Where a merchant's application stands; staff decide (decisions.md "Merchants"). */
export const APPLICATION_STATES = ["received", "approved", "refused"] as const;
