import { chooseDelivery } from "@/lib/orders/delivery-options/commands";
import { DeliveryChoiceInput, DeliveryChoiceView } from "@/lib/orders/delivery-options/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Choose the delivery of an unpaid order: codes in the Library only, immediate delivery",
    access: "user",
    body: DeliveryChoiceInput,
    result: DeliveryChoiceView,
    errors: ["order_unknown", "delivery_frozen"],
  },
  ({ body, viewer }) => chooseDelivery(viewer, body),
);
