import { CouponView, SendCouponInput } from "@/lib/coupons/contract";
import { sendCoupon } from "@/lib/coupons/send-coupon";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withCookies } from "@/lib/platform/api/response";
import { readDeviceId } from "@/lib/platform/http/device-cookie";

export const POST = endpoint(
  {
    summary: "Email the viewer their coupon of a running campaign, once per user and campaign",
    access: "user",
    body: SendCouponInput,
    result: CouponView,
    errors: [
      "campaign_unknown",
      "email_unverified",
      "throwaway_address",
      "delivery_email_unverified",
      "already_claimed",
      "voucher_unavailable",
      "claims_full",
    ],
    rate: [{ limit: 20, seconds: 3600, by: "user" }],
    failClosed: true,
  },
  async ({ body, viewer, locale, ip, request }) => {
    const { id: device, cookies } = readDeviceId(request.headers);
    return withCookies(await sendCoupon(viewer, body, locale, { ip, device }), cookies);
  },
);
