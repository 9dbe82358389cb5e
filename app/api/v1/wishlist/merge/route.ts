import { MergeWishesInput, WishedProducts } from "@/lib/notifications/wishlist/contract";
import { mergeWishes } from "@/lib/notifications/wishlist/merge-wishes";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Add the products that the browser kept for a guest to the wishlist",
    access: "user",
    body: MergeWishesInput,
    result: WishedProducts,
    errors: [],
  },
  ({ viewer, body }) => mergeWishes(viewer, body),
);
