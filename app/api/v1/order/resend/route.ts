import { OrderRef } from "@/lib/orders/contract";
import { resendKeys } from "@/lib/orders/fulfilment/resend-keys";
import { ResendView } from "@/lib/orders/refunds/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary:
      "Send the codes of an order that were shown or mailed before again to their delivery email, at most three times an hour",
    access: "user",
    body: OrderRef,
    result: ResendView,
    errors: ["order_unknown", "key_unknown", "code_unrevealed", "key_frozen"],
  },
  ({ body, viewer, ip }) => resendKeys(viewer, body, ip),
);
