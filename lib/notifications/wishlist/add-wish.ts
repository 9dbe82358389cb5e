import { sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { WISHES_MAX } from "@/lib/notifications/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { WishedProducts, WishInput } from "./contract";
import { listWishedProducts } from "./get-wishlist";
import { PRODUCT_NOW_SQL } from "./prices-now";

/**
 * Puts a product on the viewer's wishlist (`/wishlist/add`); repeating it changes nothing.
 * @throws ShopError product_unknown, wishlist_full
 */
export async function addWish(viewer: UserViewer, { product_id }: WishInput): Promise<WishedProducts> {
  return transaction(async (tx) => {
    const [product] = await tx.execute(sql`select from products where id = ${product_id} and listed`);
    if (!product) throw new ShopError("product_unknown");
    const room = await countRoom(tx, viewer.userId, [product_id]);
    if (room < 1) throw new ShopError("wishlist_full");
    await insertWishes(tx, viewer.userId, [product_id]);
    return listWishedProducts(tx, viewer.userId);
  });
}

/** Takes a product off the viewer's wishlist (`/wishlist/remove`); one that is not on it changes nothing. */
export async function removeWish(viewer: UserViewer, { product_id }: WishInput): Promise<WishedProducts> {
  return transaction(async (tx) => {
    await tx.execute(sql`delete from wishes where user_id = ${viewer.userId} and product_id = ${product_id}`);
    return listWishedProducts(tx, viewer.userId);
  });
}

/** The number of products that may be on the list besides all others than `ids`. Serializes changes of one account. */
export async function countRoom(tx: Tx, userId: string, ids: readonly number[]): Promise<number> {
  await tx.execute(sql`select from users where id = ${userId} for no key update`);
  const [row] = await tx.execute<{ others: number }>(sql`
    select count(*)::int as others from wishes where user_id = ${userId} and product_id <> all(${sql.param([...ids])}::int[])`);
  return WISHES_MAX - row!.others;
}

/** Stores wishes with the prices and stock of now. The first id is the last saved one. */
export async function insertWishes(tx: Tx, userId: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    insert into wishes (user_id, product_id, created_at, seen_prices, seen_in_stock)
    select ${userId}, w.product_id, shop_now() - w.place * interval '1 millisecond', now.prices, now.in_stock
    from unnest(${sql.param([...ids])}::int[]) with ordinality w (product_id, place) cross join ${PRODUCT_NOW_SQL}
    on conflict (user_id, product_id) do nothing`);
}
