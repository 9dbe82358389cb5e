import type { CampaignKind, COUPON_STATES, CouponViewState } from "@/lib/coupons/rules";
import { MINIMUM_CHARGE_CENTS } from "@/lib/payments/rules";
import type { ErrorName } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";

/** A coupon's value: an amount, or a percentage up to a cap. Money in cents. */
export type CouponTerms = {
  amountCents: number | null;
  percent: number | null;
  maxDiscountCents: number | null;
  minimumCents: number;
  firstOrderOnly: boolean;
};

/** The facts that decide whether a coupon can be used now. */
export type CouponFacts = CouponTerms & {
  state: (typeof COUPON_STATES)[number];
  userId: string | null;
  startsAt: Date | null;
  expiresAt: Date | null;
};

/** A coupon with its campaign's title. */
export type Coupon = CouponFacts & {
  id: string;
  code: string;
  campaignId: string;
  kind: CampaignKind;
  title: Record<Locale, string>;
  orderId: string | null;
  usedAt: Date | null;
};

/**
 * The discount on a subtotal, in cents: at most the subtotal, percentages rounded down. The rest is zero or at least
 * the provider's minimum charge (docs/decisions/0014-give-each-person-a-coupon-once.md).
 */
export function couponDiscount(terms: CouponTerms, subtotalCents: number): number {
  const share = terms.amountCents ?? Math.floor((subtotalCents * (terms.percent ?? 0)) / 100);
  const capped = Math.min(share, terms.maxDiscountCents ?? share, subtotalCents);
  const left = subtotalCents - capped;
  if (left === 0 || left >= MINIMUM_CHARGE_CENTS) return capped;
  return Math.max(0, subtotalCents - MINIMUM_CHARGE_CENTS);
}

/**
 * The state shown to the shopper (docs/product.md#44-coupon). Checks the owner first, so that other users learn
 * nothing else.
 */
export function couponState(facts: CouponFacts, userId: string, now: Date): CouponViewState {
  if (facts.userId !== null && facts.userId !== userId) return "bound_to_another";
  if (facts.state === "revoked") return "invalid";
  if (facts.state !== "open") return "used";
  if (facts.expiresAt && now >= facts.expiresAt) return "expired";
  if (facts.startsAt && now < facts.startsAt) return "not_yet_valid";
  return "valid";
}

const FAULT_OF: Record<Exclude<CouponViewState, "valid">, ErrorName> = {
  used: "coupon_used",
  expired: "coupon_expired",
  not_yet_valid: "coupon_not_yet_valid",
  bound_to_another: "coupon_bound",
  invalid: "coupon_invalid",
};

/** The error of a state (docs/product.md#92-messages); null for a valid coupon. */
export const couponStateError = (state: CouponViewState): ErrorName | null =>
  state === "valid" ? null : FAULT_OF[state];

/** The order that rules out a first-order coupon: a paid one, or an unpaid one that may be paid. */
export type EarlierOrder = "paid" | "unpaid" | null;

/** Why a valid coupon does not apply to an order of this subtotal; null when it applies. */
export function couponOrderError(
  terms: CouponTerms,
  { subtotalCents, earlierOrder }: { subtotalCents: number; earlierOrder: EarlierOrder },
): ErrorName | null {
  if (terms.firstOrderOnly && earlierOrder === "paid") return "coupon_first_order";
  if (terms.firstOrderOnly && earlierOrder === "unpaid") return "coupon_order_open";
  if (subtotalCents < terms.minimumCents) return "coupon_below_minimum";
  return couponDiscount(terms, subtotalCents) === 0 ? "coupon_not_applied" : null;
}
