import { CartQuote, SettleCartInput } from "@/lib/cart/contract";
import { quoteCart } from "@/lib/cart/get-cart";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Quote the price of selected cart lines; nothing is reserved",
    access: "user",
    body: SettleCartInput,
    result: CartQuote,
    errors: ["cart_line_unknown", "nothing_selected"],
  },
  ({ body, viewer, locale }) => quoteCart(viewer, body, locale),
);
