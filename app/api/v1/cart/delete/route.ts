import { z } from "zod";
import { DeleteFromCartInput } from "@/lib/cart/contract";
import { removeFromCart } from "@/lib/cart/update-cart";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Remove a cart line",
    access: "user",
    body: DeleteFromCartInput,
    result: z.object({ total: z.int() }),
    errors: [],
  },
  ({ body, viewer }) => removeFromCart(viewer, body),
);
