import { RefundDecided, RefundParams, RefuseRefundInput } from "@/lib/orders/console/contract-refunds";
import { refuseRefund } from "@/lib/orders/console/decide-refunds";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Refuse a refund request",
    description:
      "The shopper reads the reason. Codes that were shown or mailed count as used. After the deadline a request is approved regardless of the decision. With `preview` nothing changes, and the response lists the effects.",
    access: staff("refunds.decide", { reauthenticated: true }),
    params: RefundParams,
    body: RefuseRefundInput,
    previewable: effects,
    result: RefundDecided,
    errors: [
      "refund_unknown",
      "refund_decided",
      "revision_conflict",
      "payment_disputed",
      "own_refund",
      "note_has_code",
    ],
  },
  ({ viewer, params, body }) => refuseRefund(viewer, params.id, body),
);
