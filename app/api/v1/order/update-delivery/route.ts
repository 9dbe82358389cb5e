import { endpoint } from "@/lib/endpoint";
import { chooseDelivery } from "@/lib/orders/commands-delivery-choice";
import { DeliveryChoiceInput, DeliveryChoiceView } from "@/lib/orders/contract-delivery-choice";

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
