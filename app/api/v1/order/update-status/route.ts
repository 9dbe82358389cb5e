import { OrderStatusView, UpdateStatusInput } from "@/lib/orders/contract";
import { updateOrderStatus } from "@/lib/orders/payment/update-order-status";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Request a status; the response contains the actual one",
    description:
      "`cancelled` cancels the order. Any other value updates the status from the payment provider.",
    access: "user",
    body: UpdateStatusInput,
    result: OrderStatusView,
    errors: ["order_unknown", "order_not_cancellable", "payment_unconfirmed", "provider_unavailable"],
  },
  ({ body, viewer }) => updateOrderStatus(viewer, body),
);
