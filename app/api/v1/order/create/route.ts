import { OrderPlaced, PlaceOrderInput } from "@/lib/orders/contract";
import { placeOrder } from "@/lib/orders/placing/place-order";
import { endpoint } from "@/lib/platform/api/endpoint";
import { withCookies } from "@/lib/platform/api/response";
import { CART_COUPON_ERRORS } from "@/lib/platform/errors";
import { readDeviceId } from "@/lib/platform/http/device-cookie";
import { attributionOfCall } from "@/lib/platform/http/landing-cookie";

export const POST = endpoint(
  {
    summary:
      "Place an order of cart lines, or of `passes` (one unit of `vip_id`); prices, keys and deals are held for 30 minutes",
    description:
      "The hold is 15 minutes when stock is low. An order whose total is not `expected_total` is refused once: the answer names the total (`errors[].actual`), which the next call may expect. With `passes` or `vip_id` the cart stays as it is, and an open order of the same passes is returned again. Limits on unpaid orders are 429 with their reason and Retry-After.",
    access: "user",
    body: PlaceOrderInput,
    result: OrderPlaced,
    errors: [
      ...CART_COUPON_ERRORS,
      "product_unknown",
      "sold_out",
      "purchase_limit",
      "email_invalid",
      "delivery_email_unverified",
      "holds_full",
      "holds_unverified",
      "holds_shared",
      "holds_paused",
      "stock_held",
      "exemption_ended",
      "first_order_open",
      "total_changed",
      "too_many_codes",
      "voucher_unavailable",
      "claims_full",
      "unavailable",
    ],
  },
  async ({ body, viewer, locale, ip, timeZone, request, attribution }) => {
    const { id: device, cookies } = readDeviceId(request.headers);
    const captured = attributionOfCall(attribution, request.headers);
    const origin = { ip, device, timeZone, attribution: captured };
    return withCookies(await placeOrder(viewer, body, locale, origin), cookies);
  },
);
