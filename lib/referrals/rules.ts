/** registered: has not bought yet. pending: bought, the refund window runs. paid, refused: decided. */
export const REFERRAL_STATES = ["registered", "pending", "paid", "refused"] as const;
export type ReferralState = (typeof REFERRAL_STATES)[number];

/** Why an invitation earns nothing; the inviter is told. */
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

/** Friends from one network that can earn in a day; a household passes, a farm of accounts does not. */
export const FRIENDS_PER_NETWORK = 3;
/** Rewards for one inviter in a calendar month, unless staff say otherwise. */
export const REWARDS_A_MONTH = 20;
