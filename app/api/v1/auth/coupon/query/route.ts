import { checkCoupon } from "@/lib/coupons/check-coupon";
import { CouponOffer, QueryCouponInput } from "@/lib/coupons/contract";
import { COUPON_CODE_LIMITS } from "@/lib/coupons/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { CART_COUPON_ERRORS } from "@/lib/platform/errors";

export const POST = endpoint(
  {
    summary: "Check a coupon against the selected cart lines",
    description: "Nothing is held or bound. `/order/create` takes the code and reserves it with the order.",
    access: "user",
    body: QueryCouponInput,
    result: CouponOffer,
    errors: [...CART_COUPON_ERRORS],
    rate: [...COUPON_CODE_LIMITS],
    failClosed: true,
  },
  ({ body, viewer, locale, ip }) => checkCoupon(viewer, body, locale, ip),
);
