import { autoAddToCart } from "@/lib/cart/add-to-cart";
import { AutoAddToCartInput, CartAdded } from "@/lib/cart/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { attributionOfCall } from "@/lib/platform/http/landing-cookie";

export const POST = endpoint(
  {
    summary: "Add a product after the login that an add-to-cart caused",
    description:
      "Adds the given plan, or the cheapest available one. A plan that is already in the cart stays unchanged.",
    access: "user",
    body: AutoAddToCartInput,
    result: CartAdded,
    errors: ["product_unknown", "sold_out", "purchase_limit", "cart_full"],
  },
  ({ body, viewer, attribution, request }) =>
    autoAddToCart(viewer, body, attributionOfCall(attribution, request.headers)?.source),
);
