import { OrderRef } from "@/lib/orders/contract";
import { resendKeys } from "@/lib/orders/fulfilment/commands";
import { ResendView } from "@/lib/orders/refunds/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary:
      "Send the delivered codes of an order again to their delivery email, at most three times an hour",
    access: "user",
    body: OrderRef,
    result: ResendView,
    errors: ["order_unknown", "key_unknown", "key_frozen"],
  },
  ({ body, viewer }) => resendKeys(viewer, body),
);
