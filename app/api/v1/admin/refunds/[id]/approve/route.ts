import { ApproveRefundInput, RefundDecided, RefundParams } from "@/lib/orders/console/contract-refunds";
import { approveRefund } from "@/lib/orders/console/decide-refunds";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Approve a refund request",
    description:
      "Locks the codes and returns the money. With `overrule` also a request that was refused. Nobody decides a request that they asked for. With `preview` nothing changes, and the response lists the effects.",
    access: staff("refunds.decide", { reauthenticated: true }),
    params: RefundParams,
    body: ApproveRefundInput,
    previewable: effects,
    result: RefundDecided,
    errors: ["refund_unknown", "refund_decided", "revision_conflict", "payment_disputed", "own_refund"],
  },
  ({ viewer, params, body }) => approveRefund(viewer, params.id, body),
);
