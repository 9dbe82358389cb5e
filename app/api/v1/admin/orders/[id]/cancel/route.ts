import { cancelOrderByStaff } from "@/lib/orders/cancellation/cancel-order";
import { ConsoleOrderParams } from "@/lib/orders/console/contract-detail";
import { OrderStatusView } from "@/lib/orders/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Cancel an unpaid order",
    description:
      "Its codes go back on sale. While a payment is being decided, the order is cancelled when the payment fails, and refunded if it succeeds. With `preview` nothing changes, and the response lists the effects.",
    access: staff("orders.write"),
    params: ConsoleOrderParams,
    body: SeenVersion.extend({ preview: Preview }),
    result: previewable(OrderStatusView),
    errors: ["order_unknown", "order_not_cancellable", "revision_conflict", "provider_unavailable"],
  },
  ({ viewer, params, body: { preview, ...seen } }) =>
    runOrPreview(preview, () => cancelOrderByStaff(viewer, params.id, seen)),
);
