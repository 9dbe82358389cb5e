import { CartView } from "@/lib/cart/contract";
import { getCart } from "@/lib/cart/get-cart";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The cart with current prices, stock and refund terms",
    access: "user",
    result: CartView,
    errors: [],
  },
  ({ viewer, locale }) => getCart(viewer, locale),
);
