import { sendCoupon } from "@/lib/coupons/commands-issue";
import { CouponView, SendCouponInput } from "@/lib/coupons/contract";
import { endpoint } from "@/lib/endpoint";

export const POST = endpoint(
  {
    summary: "Mail the viewer their coupon of a running campaign, once per person and campaign",
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
    closed: true,
  },
  ({ body, viewer, locale }) => sendCoupon(viewer, body, locale),
);
