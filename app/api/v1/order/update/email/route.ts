import { DeliveryEmailView, UpdateDeliveryEmailInput } from "@/lib/orders/contract";
import { changeDeliveryEmail } from "@/lib/orders/delivery-options/change-delivery-email";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Change the delivery email of an order until its keys are sent",
    description:
      "An email other than the account's own must be verified: 40902 sends it a code for /auth/email/verify-code.",
    access: "user",
    body: UpdateDeliveryEmailInput,
    result: DeliveryEmailView,
    errors: [
      "order_unknown",
      "email_invalid",
      "delivery_email_unverified",
      "delivery_frozen",
      "delivery_order_cancelled",
      "too_many_codes",
      "email_unverified",
    ],
  },
  ({ body, viewer, locale, ip }) => changeDeliveryEmail(viewer, body, locale, ip),
);
