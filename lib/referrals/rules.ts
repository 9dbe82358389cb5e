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

/** Above this number the round number of members is shown, up to it the true one (docs/product.md#86-invitations). */
const MANY_MEMBERS = 1000;

/** The number of members on the invitation page; null shows none. 1,234 members are "over 1,000", 23,456 "over 23,000". */
export function shownMembers(members: number): { count: number; isMany: boolean } | null {
  if (members <= 0) return null;
  if (members <= MANY_MEMBERS) return { count: members, isMany: false };
  return { count: Math.floor((members - 1) / MANY_MEMBERS) * MANY_MEMBERS, isMany: true };
}
