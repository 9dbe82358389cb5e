import { addToCart } from "@/lib/cart/add-to-cart";
import { AddToCartInput, CartAdded } from "@/lib/cart/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { attributionOfCall } from "@/lib/platform/http/landing-cookie";

export const POST = endpoint(
  {
    summary: "Add a plan to the cart, or increase its line",
    access: "user",
    body: AddToCartInput,
    result: CartAdded,
    errors: ["product_unknown", "sold_out", "stock_short", "purchase_limit", "cart_full"],
  },
  ({ body, viewer, attribution, request }) =>
    addToCart(viewer, body, attributionOfCall(attribution, request.headers)?.source),
);
