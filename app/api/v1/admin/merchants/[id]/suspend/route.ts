import { changeStateByStaff } from "@/lib/merchants/console/change-state-by-staff";
import {
  MerchantParams,
  MerchantReasonInput,
  MerchantState,
} from "@/lib/merchants/console/contract-merchants";
import { endpoint } from "@/lib/platform/api/endpoint";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
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
