import { changeStateByStaff } from "@/lib/merchants/console/change-state-by-staff";
import {
  MerchantParams,
  MerchantState,
  MerchantStateInput,
} from "@/lib/merchants/console/contract-merchants";
import { endpoint } from "@/lib/platform/api/endpoint";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Resume a paused or suspended merchant",
    description: "Its products are in the shop again. The owners are notified by email.",
    access: staff("merchants.decide", { reauthenticated: true }),
    params: MerchantParams,
    body: MerchantStateInput.extend({ preview: Preview }),
    result: previewable(MerchantState),
    errors: ["merchant_unknown", "revision_conflict", "merchant_state", "note_has_code"],
  },
  ({ viewer, params, body: { preview, ...input } }) =>
    runOrPreview(preview, () => changeStateByStaff(viewer, params.id, { ...input, change: "resume" })),
);
