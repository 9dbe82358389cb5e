import { CouponView, SendCouponInput } from "@/lib/coupons/contract";
import { sendCoupon } from "@/lib/coupons/vouchers/commands";
import { endpoint } from "@/lib/platform/api/endpoint";

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
    ],
    rate: [{ limit: 20, seconds: 3600, by: "user" }],
    failClosed: true,
  },
  ({ body, viewer, locale }) => sendCoupon(viewer, body, locale),
);
