import { CartQuote, SettleCartInput } from "@/lib/cart/contract";
import { quoteCart } from "@/lib/cart/queries";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "A priced quote of chosen cart lines; nothing is held",
    access: "user",
    body: SettleCartInput,
    result: CartQuote,
    errors: ["cart_line_unknown", "nothing_selected"],
  },
  ({ body, viewer, locale }) => quoteCart(viewer, body, locale),
);
