import { bindCoupon } from "@/lib/coupons/commands";
import { BindCouponInput, CouponView } from "@/lib/coupons/contract";
import { COUPON_CODE_LIMITS } from "@/lib/coupons/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Keep a coupon in one's account; from then on it works there only",
    access: "user",
    body: BindCouponInput,
    result: CouponView,
    errors: [
      "coupon_code_invalid",
      "coupon_unknown",
      "coupon_used",
      "coupon_held",
      "coupon_expired",
      "coupon_not_yet_valid",
      "coupon_bound",
      "coupon_already_bound",
      "coupon_invalid",
      "email_unverified",
      "throwaway_address",
      "voucher_unavailable",
    ],
    rate: [...COUPON_CODE_LIMITS],
    closed: true,
  },
  ({ body, viewer, locale }) => bindCoupon(viewer, body, locale),
);
