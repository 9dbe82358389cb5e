import { CartView } from "@/lib/cart/contract";
import { getCart } from "@/lib/cart/queries";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The cart with today's prices, stock and refund lines",
    access: "user",
    result: CartView,
    errors: [],
  },
  ({ viewer, locale }) => getCart(viewer, locale),
);
