import { ListWishesInput, Wishlist } from "@/lib/notifications/wishlist/contract";
import { getWishlist } from "@/lib/notifications/wishlist/get-wishlist";
import { endpoint } from "@/lib/platform/api/endpoint";
import { READ_COSTS } from "@/lib/platform/expensive-work";

export const GET = endpoint(
  {
    summary: "The products on the wishlist, last saved first",
    description: "A guest gives the products that the browser has kept.",
    access: "public",
    query: ListWishesInput,
    result: Wishlist,
    errors: [],
    readCost: READ_COSTS.list,
  },
  ({ viewer, query, locale }) => getWishlist(viewer, query, locale),
);
