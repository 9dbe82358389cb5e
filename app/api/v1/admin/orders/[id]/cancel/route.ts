import { cancelOrderByStaff } from "@/lib/orders/cancellation/cancel-order";
import { ConsoleOrderParams } from "@/lib/orders/console/contract-detail";
import { OrderStatusView } from "@/lib/orders/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Cancel an unpaid order",
    description:
      "Its codes go back on sale. While a payment is being decided, the order is cancelled when the payment fails, and refunded if it succeeds. With `preview` nothing changes, and the response lists the effects.",
    access: staff("orders.write"),
    params: ConsoleOrderParams,
    body: SeenVersion,
    previewable: effects,
    result: OrderStatusView,
    errors: ["order_unknown", "order_not_cancellable", "revision_conflict", "provider_unavailable"],
  },
  ({ viewer, params, body }) => cancelOrderByStaff(viewer, params.id, body),
);
