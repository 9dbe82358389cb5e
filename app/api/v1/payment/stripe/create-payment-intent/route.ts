import { createPaymentIntent } from "@/lib/payments/commands";
import { CreatePaymentIntentInput, PaymentIntentView } from "@/lib/payments/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Open the payment of an order, or return the open one",
    access: "user",
    replay: false,
    body: CreatePaymentIntentInput,
    result: PaymentIntentView,
    errors: ["order_unknown", "order_not_payable", "amount_differs", "provider_unavailable"],
  },
  ({ body, viewer }) => createPaymentIntent(viewer, body),
);
