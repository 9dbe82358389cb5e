import { removeWish } from "@/lib/notifications/wishlist/add-wish";
import { WishedProducts, WishInput } from "@/lib/notifications/wishlist/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Take a product off the wishlist",
    access: "user",
    body: WishInput,
    result: WishedProducts,
    errors: [],
  },
  ({ viewer, body }) => removeWish(viewer, body),
);
