import { RefundParams, RefundSettled, SettleRefundInput } from "@/lib/orders/console/contract-refunds";
import { settleRefund } from "@/lib/orders/console/decide-refunds";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Record that a failed refund was paid by other means",
    description:
      "For a refund whose last attempt failed. It counts as returned and is never sent again. With `preview` nothing changes, and the response lists the effects.",
    access: staff("refunds.decide", { reauthenticated: true }),
    params: RefundParams,
    body: SettleRefundInput,
    previewable: effects,
    result: RefundSettled,
    errors: [
      "refund_unknown",
      "refund_decided",
      "revision_conflict",
      "payment_disputed",
      "own_refund",
      "note_has_code",
    ],
  },
  ({ viewer, params, body }) => settleRefund(viewer, params.id, body),
);
