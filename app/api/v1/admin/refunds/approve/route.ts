import { ApproveRefundsInput, RefundsApproved } from "@/lib/orders/console/contract-refunds";
import { approveRefunds } from "@/lib/orders/console/decide-refunds";
import { endpoint } from "@/lib/platform/api/endpoint";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Approve several refund requests",
    description:
      "Each on its own, as it was listed: `versions` has the version of each by its id. `failed` names those that could not be approved, for example because they have changed since. With `preview` nothing changes, and the response lists the effects.",
    access: staff("refunds.decide", { reauthenticated: true }),
    body: ApproveRefundsInput.extend({ preview: Preview }),
    result: previewable(RefundsApproved),
    errors: [],
  },
  ({ viewer, body: { preview, ...input } }) => runOrPreview(preview, () => approveRefunds(viewer, input)),
);
