import { CouponPreview, PreviewCouponInput } from "@/lib/coupons/contract";
import { previewCoupon } from "@/lib/coupons/queries";
import { COUPON_CODE_LIMITS } from "@/lib/coupons/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Preview a coupon before it is bound to the account",
    description:
      "Nothing is created, reserved or bound. Used to ask for confirmation before `/auth/coupon/bind`.",
    access: "user",
    body: PreviewCouponInput,
    result: CouponPreview,
    errors: [
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
  ({ body, viewer, locale }) => previewCoupon(viewer, body, locale),
);
