import { claimVoucher } from "@/lib/coupons/claim-voucher";
import { ClaimVoucherInput, CouponView } from "@/lib/coupons/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withCookies } from "@/lib/platform/api/response";
import { readDeviceId } from "@/lib/platform/http/device-cookie";

export const POST = endpoint(
  {
    summary: "Claim a free voucher: the daily one once a day, the first-order one once",
    access: "user",
    body: ClaimVoucherInput,
    result: CouponView,
    errors: [
      "email_unverified",
      "throwaway_address",
      "already_claimed",
      "coupon_first_order",
      "voucher_unavailable",
      "claims_full",
    ],
    rate: [{ limit: 30, seconds: 3600, by: "user" }],
    failClosed: true,
  },
  async ({ body, viewer, locale, ip, request }) => {
    const { id: device, cookies } = readDeviceId(request.headers);
    return withCookies(await claimVoucher(viewer, body, locale, { ip, device }), cookies);
  },
);
