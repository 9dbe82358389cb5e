import { CouponPreview, PreviewCouponInput } from "@/lib/coupons/contract";
import { previewCoupon } from "@/lib/coupons/preview-coupon";
import { COUPON_CODE_LIMITS } from "@/lib/coupons/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { COUPON_ERRORS } from "@/lib/platform/errors";

export const POST = endpoint(
  {
    summary: "Preview a coupon before it is bound to the account",
    description:
      "Nothing is created, reserved or bound. Used to ask for confirmation before `/auth/coupon/bind`.",
    access: "user",
    body: PreviewCouponInput,
    result: CouponPreview,
    errors: [...COUPON_ERRORS, "coupon_already_bound", "voucher_unavailable"],
    rate: [...COUPON_CODE_LIMITS],
    failClosed: true,
  },
  ({ body, viewer, locale }) => previewCoupon(viewer, body, locale),
);
