import { OrderPlaced, PlaceOrderInput } from "@/lib/orders/contract";
import { placeOrder } from "@/lib/orders/placing/commands";
import { endpoint } from "@/lib/platform/api/endpoint";
import { CART_COUPON_ERRORS } from "@/lib/platform/errors";

export const POST = endpoint(
  {
    summary: "Place an order of selected cart lines; prices, keys and deals are held for 30 minutes",
    access: "user",
    body: PlaceOrderInput,
    result: OrderPlaced,
    errors: [
      ...CART_COUPON_ERRORS,
      "sold_out",
      "purchase_limit",
      "already_claimed",
      "email_invalid",
      "delivery_email_unverified",
      "holds_full",
      "first_order_open",
      "amount_too_small",
      "too_many_codes",
      "voucher_unavailable",
      "unavailable",
    ],
  },
  ({ body, viewer, locale }) => placeOrder(viewer, body, locale),
);
