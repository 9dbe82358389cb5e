import { cancelOrder } from "@/lib/orders/cancellation/commands";
import { OrderRef, OrderStatusView } from "@/lib/orders/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Cancel an unpaid order and release its reservations",
    access: "user",
    body: OrderRef,
    result: OrderStatusView,
    errors: ["order_unknown", "order_not_cancellable", "provider_unavailable"],
  },
  ({ body, viewer }) => cancelOrder(viewer, body),
);
