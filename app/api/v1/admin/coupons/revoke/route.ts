import { RevokeCouponInput } from "@/lib/coupons/console/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { revokeCouponByStaff } from "@/lib/staff/campaigns/commands";
import { CouponRevoked } from "@/lib/staff/campaigns/contract";
import { runOrPreview } from "@/lib/staff/preview/commands";
import { Preview, previewable } from "@/lib/staff/preview/contract";
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
