import { z } from "zod";
import { removeFromCart } from "@/lib/cart/commands";
import { DeleteFromCartInput } from "@/lib/cart/contract";
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
