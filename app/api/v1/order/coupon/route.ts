import { ChangeCouponInput, CouponChanged } from "@/lib/orders/contract";
import { changeCoupon } from "@/lib/orders/placing/change-coupon";
import { endpoint } from "@/lib/platform/api/endpoint";
import { COUPON_ERRORS } from "@/lib/platform/errors";
import { readDeviceId } from "@/lib/platform/http/device-cookie";

export const POST = endpoint(
  {
    summary: "Put another coupon on an unpaid order; without `coupon_code` take it off",
    description:
      "A payment that was opened for the other total is closed: open it again with `/payment/stripe/create-payment-intent`. Not while a payment is running.",
    access: "user",
    body: ChangeCouponInput,
    result: CouponChanged,
    errors: [
      ...COUPON_ERRORS,
      "coupon_below_minimum",
      "coupon_first_order",
      "coupon_order_open",
      "coupon_not_applied",
      "coupon_own_product",
      "voucher_unavailable",
      "claims_full",
      "order_unknown",
      "order_not_payable",
      "provider_unavailable",
    ],
  },
  ({ body, viewer, locale, ip, timeZone, request }) =>
    changeCoupon(viewer, body, locale, { ip, device: readDeviceId(request.headers).id, timeZone }),
);
