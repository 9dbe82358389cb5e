import { bindCoupon } from "@/lib/coupons/bind-coupon";
import { BindCouponInput, CouponView } from "@/lib/coupons/contract";
import { COUPON_CODE_LIMITS } from "@/lib/coupons/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withCookies } from "@/lib/platform/api/response";
import { COUPON_ERRORS } from "@/lib/platform/errors";
import { readDeviceId } from "@/lib/platform/http/device-cookie";

export const POST = endpoint(
  {
    summary: "Bind a coupon to the viewer's account; from then on only this account can use it",
    access: "user",
    body: BindCouponInput,
    result: CouponView,
    errors: [
      ...COUPON_ERRORS,
      "coupon_code_invalid",
      "coupon_already_bound",
      "voucher_unavailable",
      "claims_full",
    ],
    rate: [...COUPON_CODE_LIMITS],
    failClosed: true,
  },
  async ({ body, viewer, locale, ip, request }) => {
    const { id: device, cookies } = readDeviceId(request.headers);
    return withCookies(await bindCoupon(viewer, body, locale, { ip, device }), cookies);
  },
);
