import {
  MerchantParams,
  MerchantReasonInput,
  MerchantState,
} from "@/lib/merchants/console/contract-merchants";
import { endpoint } from "@/lib/platform/api/endpoint";
import { endMerchant } from "@/lib/staff/merchants/end-merchant";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Close a merchant for good",
    description:
      "A second person decides. Then its products are off the shop and its open invitations are void; it still reads, and serves paid orders.",
    access: staff("merchants.decide", { reauthenticated: true }),
    params: MerchantParams,
    body: MerchantReasonInput.extend({ preview: Preview }),
    result: previewable(MerchantState),
    errors: ["merchant_unknown", "revision_conflict", "merchant_state", "approval_required", "note_has_code"],
  },
  ({ viewer, params, body: { preview, ...input } }) =>
    runOrPreview(preview, () => endMerchant(viewer, params.id, input)),
);
