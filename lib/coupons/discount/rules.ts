import {
  type CampaignKind,
  type COUPON_STATES,
  type CouponViewState,
  LEAST_PAYABLE_CENTS,
} from "@/lib/coupons/rules";
import type { ErrorName } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";

/** What a coupon is worth: either an amount, or a share in percent up to a cap. Money in cents. */
export type CouponTerms = {
  amountCents: number | null;
  percent: number | null;
  maxDiscountCents: number | null;
  minimumCents: number;
  firstOrderOnly: boolean;
};

/** What decides whether somebody may use a coupon now. */
export type CouponFacts = CouponTerms & {
  state: (typeof COUPON_STATES)[number];
  userId: string | null;
  startsAt: Date | null;
  expiresAt: Date | null;
};

/** A coupon as the database has it, with the words of its campaign. */
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
 * The discount on a subtotal, in cents: never more than the subtotal, a share rounded down to the cent. What is left
 * to pay is nothing, or enough that the payment provider takes it (docs/decisions/0014-give-each-person-a-coupon-once.md).
 */
export function couponDiscount(terms: CouponTerms, subtotalCents: number): number {
  const share = terms.amountCents ?? Math.floor((subtotalCents * (terms.percent ?? 0)) / 100);
  const capped = Math.min(share, terms.maxDiscountCents ?? share, subtotalCents);
  const left = subtotalCents - capped;
  if (left === 0 || left >= LEAST_PAYABLE_CENTS) return capped;
  return Math.max(0, subtotalCents - LEAST_PAYABLE_CENTS);
}

/** What the shopper sees of it (docs/product.md#44-coupon). Whose it is comes first: a stranger learns no more of it. */
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

/** The refusal that a state means (docs/product.md#92-messages); null for a valid coupon. */
export const couponStateError = (state: CouponViewState): ErrorName | null =>
  state === "valid" ? null : FAULT_OF[state];

/** What of somebody's other orders stands in a first order's way: one that is paid, or one that may still be. */
export type EarlierOrder = "paid" | "unpaid" | null;

/** Why a valid coupon does not apply to an order of this subtotal; null when it does. */
export function couponOrderError(
  terms: CouponTerms,
  { subtotalCents, earlierOrder }: { subtotalCents: number; earlierOrder: EarlierOrder },
): ErrorName | null {
  if (terms.firstOrderOnly && earlierOrder === "paid") return "coupon_first_order";
  if (terms.firstOrderOnly && earlierOrder === "unpaid") return "coupon_order_open";
  if (subtotalCents < terms.minimumCents) return "coupon_below_minimum";
  return couponDiscount(terms, subtotalCents) === 0 ? "coupon_not_applied" : null;
}
