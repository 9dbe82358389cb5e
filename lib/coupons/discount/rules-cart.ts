import type { CartCoupons, CouponView } from "@/lib/coupons/contract";
import { compareByExpiry } from "@/lib/coupons/rules";
import { toCents } from "@/lib/platform/money";
import { type CouponTerms, couponDiscount, couponOrderError, type EarlierOrder } from "./rules";

/** Why a coupon cannot be used on the selected lines. */
export type CouponRejectionReason =
  | "held"
  | "early"
  | "nothing_chosen"
  | "minimum"
  | "first_order"
  | "order_open"
  | "no_discount";

export type CartCoupon = { coupon: CouponView; discountCents: number; rejectionReason: CouponRejectionReason | null };

const toTerms = (coupon: CouponView): CouponTerms => ({
  amountCents: coupon.amount === null ? null : toCents(coupon.amount),
  percent: coupon.percent,
  maxDiscountCents: coupon.max_discount === null ? null : toCents(coupon.max_discount),
  minimumCents: toCents(coupon.min_amount),
  firstOrderOnly: coupon.first_order_only,
});

const REJECTION_REASONS: Partial<Record<string, CouponRejectionReason>> = {
  coupon_below_minimum: "minimum",
  coupon_first_order: "first_order",
  coupon_order_open: "order_open",
  coupon_not_applied: "no_discount",
};

function findRejectionReason(
  coupon: CouponView,
  subtotalCents: number,
  earlierOrder: EarlierOrder,
): CouponRejectionReason | null {
  if (coupon.held) return "held";
  if (coupon.state === "not_yet_valid") return "early";
  const error = couponOrderError(toTerms(coupon), { subtotalCents, earlierOrder });
  if (error === null) return null;
  const reason = REJECTION_REASONS[error] ?? "no_discount";
  const independentOfLines = reason === "first_order" || reason === "order_open";
  return subtotalCents === 0 && !independentOfLines ? "nothing_chosen" : reason;
}

/** Sorts coupons for a cart: the highest discount first, unusable ones last with the reason. */
export function sortCouponsForCart(
  { items, earlier_order }: CartCoupons,
  subtotalCents: number,
): CartCoupon[] {
  return items
    .map((coupon) => {
      const rejectionReason = findRejectionReason(coupon, subtotalCents, earlier_order);
      const discountCents = rejectionReason ? 0 : couponDiscount(toTerms(coupon), subtotalCents);
      return { coupon, rejectionReason, discountCents };
    })
    .sort((a, b) => b.discountCents - a.discountCents || compareByExpiry(a.coupon, b.coupon));
}
