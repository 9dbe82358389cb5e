import { CartView, UpdateCartInput } from "@/lib/cart/contract";
import { updateCart } from "@/lib/cart/update-cart";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Change the quantity, plan or selection of a cart line",
    access: "user",
    body: UpdateCartInput,
    result: CartView,
    errors: ["cart_line_unknown", "product_unknown", "sold_out", "stock_short", "purchase_limit"],
  },
  ({ body, viewer, locale }) => updateCart(viewer, body, locale),
);
