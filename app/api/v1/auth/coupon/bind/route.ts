import { bindCoupon } from "@/lib/coupons/commands";
import { BindCouponInput, CouponView } from "@/lib/coupons/contract";
import { COUPON_CODE_LIMITS } from "@/lib/coupons/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { COUPON_ERRORS } from "@/lib/platform/errors";

export const POST = endpoint(
  {
    summary: "Bind a coupon to the viewer's account; from then on only this account can use it",
    access: "user",
    body: BindCouponInput,
    result: CouponView,
    errors: [...COUPON_ERRORS, "coupon_code_invalid", "coupon_already_bound", "voucher_unavailable"],
    rate: [...COUPON_CODE_LIMITS],
    failClosed: true,
  },
  ({ body, viewer, locale }) => bindCoupon(viewer, body, locale),
);
