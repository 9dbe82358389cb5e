/** `registered`: no purchase yet. `pending`: bought, within the refund window. `paid`, `refused`: decided. */
export const REFERRAL_STATES = ["registered", "pending", "paid", "refused"] as const;

/** Why a referral earns nothing; shown to the inviter. */
export const REFERRAL_REASONS = [
  "same_person",
  "throwaway_address",
  "same_card",
  "many_from_one_place",
  "refunded",
  "monthly_cap",
  "account_closed",
  "staff",
] as const;
export type ReferralReason = (typeof REFERRAL_REASONS)[number];

/** Rewarded friends per network and day; enough for a household. */
export const FRIENDS_PER_NETWORK = 3;
