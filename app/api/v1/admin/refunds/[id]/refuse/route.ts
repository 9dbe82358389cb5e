import { RefundDecided, RefundParams, RefuseRefundInput } from "@/lib/orders/console/contract-refunds";
import { refuseRefund } from "@/lib/orders/console/decide-refunds";
import { endpoint } from "@/lib/platform/api/endpoint";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Refuse a refund request",
    description:
      "The shopper reads the reason. Codes that were shown or mailed count as used. After the deadline a request is approved regardless of the decision. With `preview` nothing changes, and the response lists the effects.",
    access: staff("refunds.decide", { reauthenticated: true }),
    params: RefundParams,
    body: RefuseRefundInput.extend({ preview: Preview }),
    result: previewable(RefundDecided),
    errors: [
      "refund_unknown",
      "refund_decided",
      "revision_conflict",
      "payment_disputed",
      "own_refund",
      "note_has_code",
    ],
  },
  ({ viewer, params, body: { preview, ...input } }) =>
    runOrPreview(preview, () => refuseRefund(viewer, params.id, input)),
);
