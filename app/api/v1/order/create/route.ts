import { OrderPlaced, PlaceOrderInput } from "@/lib/orders/contract";
import { placeOrder } from "@/lib/orders/placing/commands";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Place an order of selected cart lines; prices, keys and deals are held for 30 minutes",
    access: "user",
    body: PlaceOrderInput,
    result: OrderPlaced,
    errors: [
      "cart_line_unknown",
      "nothing_selected",
      "sold_out",
      "purchase_limit",
      "already_claimed",
      "email_invalid",
      "delivery_email_unverified",
      "email_unverified",
      "holds_full",
      "first_order_open",
      "amount_too_small",
      "too_many_codes",
      "coupon_unknown",
      "coupon_used",
      "coupon_held",
      "coupon_expired",
      "coupon_not_yet_valid",
      "coupon_bound",
      "coupon_invalid",
      "coupon_below_minimum",
      "coupon_first_order",
      "coupon_order_open",
      "coupon_not_applied",
      "throwaway_address",
      "voucher_unavailable",
      "unavailable",
    ],
  },
  ({ body, viewer, locale }) => placeOrder(viewer, body, locale),
);
