import { z } from "zod";
import { ProductItem } from "@/lib/catalog/contract";
import { WISHES_MAX } from "@/lib/notifications/rules";
import { ActorFields, IntParam } from "@/lib/platform/api/fields";

const ProductId = IntParam.min(1).max(2_147_483_647);

/** The body of `POST /wishlist/add` and `POST /wishlist/remove`. */
export const WishInput = z.object({ user_id: ActorFields.user_id, product_id: ProductId });
export type WishInput = z.output<typeof WishInput>;

/** The body of `POST /wishlist/merge`: the products that a guest's browser has kept, last saved first. */
export const MergeWishesInput = z.object({
  user_id: ActorFields.user_id,
  product_ids: z.array(ProductId).max(WISHES_MAX),
});
export type MergeWishesInput = z.output<typeof MergeWishesInput>;

/** The products on the account's wishlist by number, last saved first. */
export const WishedProducts = z.object({ product_ids: z.array(z.int()), total: z.int() });
export type WishedProducts = z.output<typeof WishedProducts>;

const NumberList = z
  .string()
  .max(1100)
  .regex(/^\d{1,9}(,\d{1,9})*$/)
  .transform((text) => [...new Set(text.split(",").map(Number))].slice(0, WISHES_MAX));

/** The query of `GET /wishlist/list`. */
export const ListWishesInput = z.object({
  /** for guests: the products that the browser has kept, separated by commas; ignored with a session */
  product_ids: NumberList.optional().meta({ example: "1,2" }),
});
export type ListWishesInput = z.output<typeof ListWishesInput>;

/** The wished products that are on sale or sold out, last saved first; products taken off the shop are left out. */
export const Wishlist = z.object({ items: z.array(ProductItem), total: z.int() });
export type Wishlist = z.output<typeof Wishlist>;
