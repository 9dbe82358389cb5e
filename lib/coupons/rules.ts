/**
 * The built-in campaigns (docs/product.md#85-coupons), and promotions by staff. The baseline migration inserts a row for
 * each of the first three.
 */
export const CAMPAIGN_KINDS = ["daily", "new_user", "inviter", "promotion"] as const;
export type CampaignKind = (typeof CAMPAIGN_KINDS)[number];

/** `reserved`: held by an unpaid order, and released with it. */
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

type Expiring = { expires_at: string | null };
const expiryMs = ({ expires_at }: Expiring) => Date.parse(expires_at ?? "9999-12-31");

/** Sorts by expiry, coupons without an expiry last. */
export const compareByExpiry = (a: Expiring, b: Expiring) => expiryMs(a) - expiryMs(b);

/** The daily voucher (docs/product.md#85-coupons): amount in cents, validity in hours, no minimum order. */
export const DAILY_VOUCHER = {
  amountCents: 500,
  hours: 24,
  minimumCents: 0,
  dailyBudgetCents: 25_000,
} as const;

/** The first-order bonus (docs/product.md#85-coupons), in cents. */
export const NEW_USER_VOUCHER = { amountCents: 1000, minimumCents: 5000 } as const;

/** The inviter's reward once the friend's first paid order has passed its refund period: cents, validity in days. */
export const INVITER_VOUCHER = { amountCents: 500, minimumCents: 1000, days: 90 } as const;

/**
 * How many coupons of one campaign are claimed a day (UTC) from one browser, one address group and one mail domain. The domains
 * of mail providers are not counted (claims/rules.ts).
 */
export const CLAIMS_PER_DAY = { device: 2, addressGroup: 10, mailDomain: 5 } as const;

/** The entry of the audit log of a coupon that staff gave. */
export const COUPON_GIVEN = "coupon_given";

/** How often an account, and an address group, may try coupon codes, over all calls that take one. */
export const COUPON_CODE_LIMITS = [
  { limit: 20, seconds: 60, by: "user", counter: "coupon-code" },
  { limit: 200, seconds: 86_400, by: "user", counter: "coupon-code" },
  { limit: 100, seconds: 60, by: "ip", counter: "coupon-code" },
  { limit: 1000, seconds: 86_400, by: "ip", counter: "coupon-code" },
] as const;
