import { StartPaymentInput } from "@/lib/orders/delivery-options/contract";
import { CHOOSE_LATER_DESCRIPTION, DELIVERY_CHOICE_DESCRIPTION } from "@/lib/orders/delivery-options/rules";
import { startPayment } from "@/lib/orders/payment/start-payment";
import { storeNetworkCountry } from "@/lib/orders/tax/store-network-country";
import { PaymentIntentView } from "@/lib/payments/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Open the payment of an order, or return the open one",
    description: `${DELIVERY_CHOICE_DESCRIPTION} ${CHOOSE_LATER_DESCRIPTION}`,
    access: "user",
    replay: false,
    body: StartPaymentInput,
    result: PaymentIntentView,
    errors: [
      "order_unknown",
      "order_not_payable",
      "amount_differs",
      "unrevealed_returns",
      "provider_unavailable",
    ],
  },
  async ({ body, viewer, locale, ip, request }) => {
    await storeNetworkCountry(viewer, body.order_id, request.headers);
    return startPayment(viewer, body, locale, ip);
  },
);
