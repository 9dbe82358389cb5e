/**
 * Campaigns that the shop runs by itself (docs/product.md#85-coupons), and promotions that staff make. The first three have a row of the
 * same name in the baseline migration.
 */
export const CAMPAIGN_KINDS = ["daily", "new_user", "inviter", "promotion"] as const;
export type CampaignKind = (typeof CAMPAIGN_KINDS)[number];

/** `reserved`: held by an unpaid order; it comes back when that order is cancelled or expires. */
export const COUPON_STATES = ["open", "reserved", "used", "revoked"] as const;

/** What a shopper sees of a coupon (docs/product.md#44-coupon). */
export const COUPON_VIEW_STATES = [
  "valid",
  "used",
  "expired",
  "not_yet_valid",
  "bound_to_another",
  "invalid",
] as const;
export type CouponViewState = (typeof COUPON_VIEW_STATES)[number];

/** Those that end first stand first, those without an end last. */
export function compareByExpiry(a: { expires_at: string | null }, b: { expires_at: string | null }): number {
  if (a.expires_at === b.expires_at) return 0;
  if (a.expires_at === null || b.expires_at === null) return a.expires_at === null ? 1 : -1;
  return Date.parse(a.expires_at) - Date.parse(b.expires_at);
}

/** The free voucher of a day (docs/product.md#85-coupons): worth in cents, hours from claiming, and the order it needs, in cents. */
export const DAILY_VOUCHER = { amountCents: 500, hours: 24, minimumCents: 1000 } as const;

/** The bonus on a first order (docs/product.md#85-coupons), in cents. */
export const NEW_USER_VOUCHER = { amountCents: 1000, minimumCents: 5000 } as const;

/** What an inviter gets once the friend's first paid order has passed its refund window, in cents. */
export const INVITER_VOUCHER = { amountCents: 500, minimumCents: 1000, days: 90 } as const;

/** What of an order must be left to pay, in cents, unless nothing is: providers take no smaller amount. */
export const LEAST_PAYABLE_CENTS = 50;

/** Codes that one account may try, so that none is found by guessing. */
export const COUPON_TRIES = [
  { limit: 20, seconds: 60, by: "user" },
  { limit: 200, seconds: 86_400, by: "user" },
] as const;
