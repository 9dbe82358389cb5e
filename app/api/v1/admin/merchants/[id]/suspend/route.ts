import { endpoint } from "@/lib/platform/api/endpoint";
import { changeStateByStaff } from "@/lib/staff/merchants/commands";
import { MerchantParams, MerchantReasonInput, MerchantState } from "@/lib/staff/merchants/contract";
import { runOrPreview } from "@/lib/staff/preview/commands";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Suspend a merchant",
    description:
      "Its products are off the shop until staff resume it; paid orders are still served. The owners receive the reason by email.",
    access: staff("merchants.decide", { reauthenticated: true }),
    params: MerchantParams,
    body: MerchantReasonInput.extend({ preview: Preview }),
    result: previewable(MerchantState),
    errors: ["merchant_unknown", "revision_conflict", "merchant_state", "note_has_code"],
  },
  ({ viewer, params, body: { preview, ...input } }) =>
    runOrPreview(preview, () => changeStateByStaff(viewer, params.id, { ...input, change: "suspend" })),
);
