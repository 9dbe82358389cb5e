import { FreePaymentInput, OrderStatusView } from "@/lib/orders/contract";
import { DELIVERY_CHOICE_DESCRIPTION } from "@/lib/orders/delivery-options/rules";
import { completeFreeOrder } from "@/lib/orders/payment/complete-free-order";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Complete a free order",
    description: DELIVERY_CHOICE_DESCRIPTION,
    access: "user",
    body: FreePaymentInput,
    result: OrderStatusView,
    errors: [
      "order_unknown",
      "free_payment_not_zero",
      "amount_differs",
      "order_not_payable",
      "email_unverified",
      "unrevealed_returns",
    ],
  },
  ({ body, viewer, locale, ip }) => completeFreeOrder(viewer, body, locale, ip),
);
