import { RefundRequestInput, RefundRequestView } from "@/lib/orders/refunds/contract";
import { requestRefund } from "@/lib/orders/refunds/request-refund";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary:
      "Request a refund of an order line; unused codes are refunded immediately, others after the vendor confirms",
    access: "user",
    body: RefundRequestInput,
    result: RefundRequestView,
    errors: ["order_unknown", "refund_not_allowed", "refund_asked"],
  },
  ({ body, viewer, locale, ip }) => requestRefund(viewer, body, locale, ip),
);
