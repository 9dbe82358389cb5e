import { toCents } from "@/lib/money";
import type { CartCoupons, CouponView } from "./contract";
import { soonestFirst } from "./rules";
import { type CouponTerms, discountOf, orderFault } from "./rules-discount";

/** Why a coupon cannot be used on the chosen lines. */
export type CouponMisfit = "held" | "early" | "nothing_chosen" | "minimum" | "first_order" | "no_discount";
export type CartCoupon = { coupon: CouponView; discountCents: number; misfit: CouponMisfit | null };

const termsOf = (coupon: CouponView): CouponTerms => ({
  amountCents: coupon.amount === null ? null : toCents(coupon.amount),
  percent: coupon.percent,
  maxDiscountCents: coupon.max_discount === null ? null : toCents(coupon.max_discount),
  minimumCents: toCents(coupon.min_amount),
  firstOrderOnly: coupon.first_order_only,
});

const MISFIT_OF: Partial<Record<string, CouponMisfit>> = {
  coupon_below_minimum: "minimum",
  coupon_first_order: "first_order",
  coupon_not_applied: "no_discount",
};

function misfitOf(coupon: CouponView, subtotalCents: number, isFirstOrder: boolean): CouponMisfit | null {
  if (coupon.held) return "held";
  if (coupon.state === "not_yet_valid") return "early";
  const fault = orderFault(termsOf(coupon), { subtotalCents, isFirstOrder });
  if (fault === null) return null;
  return subtotalCents === 0 && fault !== "coupon_first_order"
    ? "nothing_chosen"
    : (MISFIT_OF[fault] ?? "no_discount");
}

/** One's coupons for a cart: what takes most off stands first, what does not fit stands last and says why. */
export function sortForCart({ items, first_order }: CartCoupons, subtotalCents: number): CartCoupon[] {
  return items
    .map((coupon) => {
      const misfit = misfitOf(coupon, subtotalCents, first_order);
      return { coupon, misfit, discountCents: misfit ? 0 : discountOf(termsOf(coupon), subtotalCents) };
    })
    .sort((a, b) => b.discountCents - a.discountCents || soonestFirst(a.coupon, b.coupon));
}
