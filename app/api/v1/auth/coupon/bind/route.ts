import { bindCoupon } from "@/lib/coupons/commands";
import { BindCouponInput, CouponView } from "@/lib/coupons/contract";
import { COUPON_CODE_LIMITS } from "@/lib/coupons/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Bind a coupon to the viewer's account; from then on only this account can use it",
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
    failClosed: true,
  },
  ({ body, viewer, locale }) => bindCoupon(viewer, body, locale),
);
