import { ConsoleOrderParams } from "@/lib/orders/console/contract-detail";
import { LineRefundInput } from "@/lib/orders/console/contract-refunds";
import { RefundRequestView } from "@/lib/orders/refunds/contract";
import { requestRefundByStaff } from "@/lib/orders/refunds/request-refund";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Ask for the refund of a pass for its buyer",
    description:
      "By the same rule as for the buyer: immediately when no code was shown, otherwise the vendor is asked first. The requester does not decide the request. With `preview` nothing changes, and the response lists the effects.",
    access: staff("refunds.decide", { reauthenticated: true }),
    params: ConsoleOrderParams,
    body: LineRefundInput,
    previewable: effects,
    result: RefundRequestView,
    errors: ["order_unknown", "refund_asked", "refund_not_allowed", "revision_conflict"],
  },
  ({ viewer, params, locale, body }) =>
    requestRefundByStaff(viewer, { order_id: params.id, ...body }, locale),
);
