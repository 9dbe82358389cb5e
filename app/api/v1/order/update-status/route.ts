import { OrderStatusView, UpdateStatusInput } from "@/lib/orders/contract";
import { updateOrderStatus } from "@/lib/orders/payment/commands";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Ask for a status; the answer is the true one",
    description:
      "A request, not a command: cancelled cancels, anything else reconciles with the payment provider.",
    access: "user",
    body: UpdateStatusInput,
    result: OrderStatusView,
    errors: ["order_unknown", "order_not_cancellable", "payment_unconfirmed", "provider_unavailable"],
  },
  ({ body, viewer }) => updateOrderStatus(viewer, body),
);
