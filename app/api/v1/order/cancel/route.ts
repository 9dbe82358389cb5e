import { endpoint } from "@/lib/endpoint";
import { cancelOrder } from "@/lib/orders/commands-release";
import { OrderRef, OrderStatusView } from "@/lib/orders/contract";

export const POST = endpoint(
  {
    summary: "Cancel an unpaid order; what it held goes back to stock",
    access: "user",
    body: OrderRef,
    result: OrderStatusView,
    errors: ["order_unknown", "order_not_cancellable", "provider_unavailable"],
  },
  ({ body, viewer }) => cancelOrder(viewer, body),
);
