import { addWish } from "@/lib/notifications/wishlist/add-wish";
import { WishedProducts, WishInput } from "@/lib/notifications/wishlist/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Put a product on the wishlist",
    access: "user",
    body: WishInput,
    result: WishedProducts,
    errors: ["product_unknown", "wishlist_full"],
  },
  ({ viewer, body }) => addWish(viewer, body),
);
