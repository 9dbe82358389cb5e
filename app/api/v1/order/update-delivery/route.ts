import { chooseDelivery } from "@/lib/orders/delivery-options/choose-delivery";
import { DeliveryChoiceInput, DeliveryChoiceView } from "@/lib/orders/delivery-options/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Choose the delivery of an unpaid order: codes in the Library only, immediate delivery",
    description:
      "The choice replaces the default of the calls that pay. Without immediate delivery all codes stay unrevealed in the Library; `/library/reveal` is the consent.",
    access: "user",
    body: DeliveryChoiceInput,
    result: DeliveryChoiceView,
    errors: [
      "order_unknown",
      "delivery_frozen",
      "delivery_order_cancelled",
      "country_invalid",
      "unrevealed_returns",
      "order_not_payable",
      "provider_unavailable",
    ],
  },
  ({ body, viewer, locale, ip }) => chooseDelivery(viewer, body, locale, ip),
);
