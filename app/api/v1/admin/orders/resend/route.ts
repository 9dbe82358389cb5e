import { OrdersResent, ResendOrdersInput } from "@/lib/orders/console/contract-refunds";
import { resendOrders } from "@/lib/orders/console/resend-orders";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Mail the codes of several orders again",
    description:
      "As for one order; `failed` names those without a code that may be sent again. With `preview` nothing changes, and the response lists the effects.",
    access: staff("orders.write"),
    body: ResendOrdersInput,
    previewable: effects,
    result: OrdersResent,
    errors: [],
  },
  ({ viewer, body: { order_ids } }) => resendOrders(viewer, order_ids),
);
