import { RevokeCouponInput } from "@/lib/coupons/console/contract";
import { revokeCouponByStaff } from "@/lib/coupons/console/revoke-coupon-by-staff";
import { endpoint } from "@/lib/platform/api/endpoint";
import { CouponRevoked } from "@/lib/staff/campaigns/contract";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Revoke an unused coupon",
    description: "The reason is kept in the audit log.",
    access: staff("campaigns.manage"),
    body: RevokeCouponInput.extend({ preview: Preview }),
    result: previewable(CouponRevoked),
    errors: ["coupon_unknown", "coupon_in_use", "coupon_revoked", "note_has_code"],
  },
  ({ viewer, body }) =>
    runOrPreview(body.preview, () => revokeCouponByStaff(viewer, body.coupon_code, body.reason)),
);
