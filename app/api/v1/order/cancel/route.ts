import { cancelOrder } from "@/lib/orders/cancellation/cancel-order";
import { OrderRef, OrderStatusView } from "@/lib/orders/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Cancel an unpaid order and release its reservations",
    description:
      "While a payment is running, the status stays `processingPayment`: if the payment still succeeds, it is refunded in full, else the order is cancelled.",
    access: "user",
    body: OrderRef,
    result: OrderStatusView,
    errors: ["order_unknown", "order_not_cancellable", "provider_unavailable"],
  },
  ({ body, viewer }) => cancelOrder(viewer, body),
);
