import { chooseDelivery } from "@/lib/orders/delivery-options/commands";
import { DeliveryChoiceInput, DeliveryChoiceView } from "@/lib/orders/delivery-options/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary:
      "Choose how an order is delivered, until it is paid: codes kept in the library, delivery at once",
    access: "user",
    body: DeliveryChoiceInput,
    result: DeliveryChoiceView,
    errors: ["order_unknown", "delivery_frozen"],
  },
  ({ body, viewer }) => chooseDelivery(viewer, body),
);
