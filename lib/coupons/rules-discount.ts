import { MINIMUM_CHARGE_CENTS } from "@/lib/payments/rules";
import type { ErrorName } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { toCents } from "@/lib/platform/money";
import type { CartCoupons, CouponView } from "./contract";
import { type CampaignKind, type COUPON_STATES, type CouponViewState, compareByExpiry } from "./rules";

/** A coupon's value: an amount, or a percentage up to a cap. Money in cents. */
export type CouponTerms = {
  amountCents: number | null;
  percent: number | null;
  maxDiscountCents: number | null;
  minimumCents: number;
  firstOrderOnly: boolean;
  /** It may cover the whole price. */
  free: boolean;
};

/** A coupon's terms, state, owner and period: they decide whether it can be used now. */
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

/** The most that a coupon takes off, in cents; Infinity for a percentage without a cap. */
export const couponWorth = ({ amountCents, maxDiscountCents }: CouponTerms): number =>
  amountCents ?? maxDiscountCents ?? Infinity;

/** The discount that the coupon's terms give on a subtotal, in cents: at most the subtotal, percentages rounded down. */
function nominalDiscount(terms: CouponTerms, subtotalCents: number): number {
  const discount = terms.amountCents ?? Math.floor((subtotalCents * (terms.percent ?? 0)) / 100);
  return Math.min(discount, terms.maxDiscountCents ?? discount, subtotalCents);
}

/**
 * The discount on a subtotal, in cents. A coupon that would leave less than the provider's minimum charge is trimmed so
 * that exactly that is charged, and no code leaves without a payment; only a coupon that is marked as free may leave
 * nothing (docs/product.md#85-coupons). A discount that is trimmed to 0 applies, but does not use up the coupon.
 */
export function couponDiscount(terms: CouponTerms, subtotalCents: number): number {
  const capped = nominalDiscount(terms, subtotalCents);
  if (terms.free && capped === subtotalCents) return capped;
  return Math.max(0, Math.min(capped, subtotalCents - MINIMUM_CHARGE_CENTS));
}

/**
 * The coupon with the highest discount on an order; among equal ones, the one that ends first, then the one
 * with the lower value. `mayBeFree`: the order may cost nothing.
 */
export function bestCoupon<C extends CouponFacts>(
  own: readonly C[],
  order: { subtotalCents: number; earlierOrder: EarlierOrder; mayBeFree: boolean },
  { userId, now }: { userId: string; now: Date },
): C | null {
  // Infinity minus Infinity would be NaN.
  const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);
  const ends = (coupon: C) => coupon.expiresAt?.getTime() ?? Infinity;
  const usable = own
    .map((coupon) => ({ coupon, cents: couponDiscount(coupon, order.subtotalCents) }))
    .filter(({ cents }) => cents > 0 && (order.mayBeFree || cents < order.subtotalCents))
    .filter(({ coupon }) => couponState(coupon, userId, now) === "valid" && !couponOrderError(coupon, order));
  const [best] = usable.sort(
    (a, b) =>
      b.cents - a.cents ||
      compare(ends(a.coupon), ends(b.coupon)) ||
      compare(couponWorth(a.coupon), couponWorth(b.coupon)),
  );
  return best?.coupon ?? null;
}

/**
 * The state shown to the shopper (docs/product.md#44-coupon). The owner is checked first, so that other users learn
 * nothing about the coupon.
 */
export function couponState(facts: CouponFacts, userId: string, now: Date): CouponViewState {
  if (facts.userId !== null && facts.userId !== userId) return "bound_to_another";
  if (facts.state === "revoked") return "invalid";
  if (facts.state !== "open") return "used";
  if (facts.expiresAt && now >= facts.expiresAt) return "expired";
  if (facts.startsAt && now < facts.startsAt) return "not_yet_valid";
  return "valid";
}

/** The error of each state (docs/product.md#92-messages). */
export const COUPON_STATE_ERRORS: Record<CouponViewState, ErrorName | null> = {
  valid: null,
  used: "coupon_used",
  expired: "coupon_expired",
  not_yet_valid: "coupon_not_yet_valid",
  bound_to_another: "coupon_bound",
  invalid: "coupon_invalid",
};

/** The order that rules out a first-order coupon: a paid one, or an unpaid one that may be paid. */
export type EarlierOrder = "paid" | "unpaid" | null;

/** Why a valid coupon does not apply to an order of this subtotal; null when it applies. */
export function couponOrderError(
  terms: CouponTerms,
  { subtotalCents, earlierOrder }: { subtotalCents: number; earlierOrder: EarlierOrder },
): keyof typeof REJECTION_REASONS | null {
  if (terms.firstOrderOnly && earlierOrder === "paid") return "coupon_first_order";
  if (terms.firstOrderOnly && earlierOrder === "unpaid") return "coupon_order_open";
  if (subtotalCents < terms.minimumCents) return "coupon_below_minimum";
  return nominalDiscount(terms, subtotalCents) === 0 ? "coupon_not_applied" : null;
}

const REJECTION_REASONS = {
  coupon_below_minimum: "minimum",
  coupon_first_order: "first_order",
  coupon_order_open: "order_open",
  coupon_not_applied: "no_discount",
} as const;

/** Why a coupon cannot be used on the selected lines. */
export type CouponRejectionReason =
  | (typeof REJECTION_REASONS)[keyof typeof REJECTION_REASONS]
  | "held"
  | "early"
  | "nothing_chosen";

export type CartCoupon = {
  coupon: CouponView;
  discountCents: number;
  rejectionReason: CouponRejectionReason | null;
};

const toTerms = (coupon: CouponView): CouponTerms => ({
  amountCents: coupon.amount === null ? null : toCents(coupon.amount),
  percent: coupon.percent,
  maxDiscountCents: coupon.max_discount === null ? null : toCents(coupon.max_discount),
  minimumCents: toCents(coupon.min_amount),
  firstOrderOnly: coupon.first_order_only,
  free: coupon.free,
});

function findRejectionReason(coupon: CouponView, subtotalCents: number, earlierOrder: EarlierOrder) {
  if (coupon.held) return "held";
  if (coupon.state === "not_yet_valid") return "early";
  const error = couponOrderError(toTerms(coupon), { subtotalCents, earlierOrder });
  if (error === null) return null;
  const independentOfLines = error === "coupon_first_order" || error === "coupon_order_open";
  return subtotalCents === 0 && !independentOfLines ? "nothing_chosen" : REJECTION_REASONS[error];
}

/** Sorts coupons for a cart: the highest discount first, unusable ones last with the reason. */
export function sortCouponsForCart({ items, earlier_order }: CartCoupons, subtotalCents: number) {
  return items
    .map((coupon): CartCoupon => {
      const rejectionReason = findRejectionReason(coupon, subtotalCents, earlier_order);
      const discountCents = rejectionReason ? 0 : couponDiscount(toTerms(coupon), subtotalCents);
      return { coupon, rejectionReason, discountCents };
    })
    .sort((a, b) => b.discountCents - a.discountCents || compareByExpiry(a.coupon, b.coupon));
}
