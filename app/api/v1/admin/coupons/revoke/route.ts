import { CouponRevoked, RevokeCouponInput } from "@/lib/coupons/console/contract";
import { revokeCouponByStaff } from "@/lib/coupons/console/revoke-coupon-by-staff";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Revoke an unused coupon",
    description: "The reason is kept in the audit log.",
    access: staff("campaigns.manage"),
    body: RevokeCouponInput,
    previewable: effects,
    result: CouponRevoked,
    errors: ["coupon_unknown", "coupon_in_use", "coupon_revoked", "note_has_code"],
  },
  ({ viewer, body }) => revokeCouponByStaff(viewer, body.coupon_code, body.reason),
);
