import { endpoint } from "@/lib/endpoint";
import { requestRefund } from "@/lib/orders/commands-refund-request";
import { RefundRequestInput, RefundRequestView } from "@/lib/orders/contract-refund-request";

export const POST = endpoint(
  {
    summary:
      "Ask for the money of one line of an order back; unused codes at once, others after their maker was asked",
    access: "user",
    body: RefundRequestInput,
    result: RefundRequestView,
    errors: ["order_unknown", "refund_not_allowed", "refund_asked"],
  },
  ({ body, viewer, locale }) => requestRefund(viewer, body, locale),
);
