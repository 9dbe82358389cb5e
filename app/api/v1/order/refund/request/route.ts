import { requestRefund } from "@/lib/orders/refunds/commands-requests";
import { RefundRequestInput, RefundRequestView } from "@/lib/orders/refunds/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary:
      "Ask for the money of one line of an order back; unused codes at once, others after the vendor has confirmed",
    access: "user",
    body: RefundRequestInput,
    result: RefundRequestView,
    errors: ["order_unknown", "refund_not_allowed", "refund_asked"],
  },
  ({ body, viewer, locale }) => requestRefund(viewer, body, locale),
);
