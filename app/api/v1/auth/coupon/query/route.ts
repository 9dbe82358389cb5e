import { CouponOffer, QueryCouponInput } from "@/lib/coupons/contract";
import { checkCoupon } from "@/lib/coupons/queries";
import { COUPON_CODE_LIMITS } from "@/lib/coupons/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Check a coupon against the selected cart lines",
    description: "Nothing is held or bound. `/order/create` takes the code and reserves it with the order.",
    access: "user",
    body: QueryCouponInput,
    result: CouponOffer,
    errors: [
      "coupon_unknown",
      "coupon_used",
      "coupon_held",
      "coupon_expired",
      "coupon_not_yet_valid",
      "coupon_bound",
      "coupon_invalid",
      "coupon_below_minimum",
      "coupon_first_order",
      "coupon_order_open",
      "coupon_not_applied",
      "email_unverified",
      "throwaway_address",
      "cart_line_unknown",
      "nothing_selected",
    ],
    rate: [...COUPON_CODE_LIMITS],
    failClosed: true,
  },
  ({ body, viewer, locale }) => checkCoupon(viewer, body, locale),
);
