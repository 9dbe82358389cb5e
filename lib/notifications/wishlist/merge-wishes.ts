import { sql } from "drizzle-orm";
import { transaction } from "@/db/client";
import type { UserViewer } from "@/lib/platform/auth/session";
import { countRoom, insertWishes } from "./add-wish";
import type { MergeWishesInput, WishedProducts } from "./contract";
import { listWishedProducts } from "./get-wishlist";

/**
 * Adds the products that the browser kept for a guest (`/wishlist/merge`), last saved first; unknown products, and those
 * beyond the limit, are left out.
 */
export async function mergeWishes(
  viewer: UserViewer,
  { product_ids }: MergeWishesInput,
): Promise<WishedProducts> {
  const ids = [...new Set(product_ids)];
  return transaction(async (tx) => {
    const room = await countRoom(tx, viewer.userId, []);
    const existing = await tx.execute<{ id: number }>(sql`
      select p.id from products p left join wishes w on w.product_id = p.id and w.user_id = ${viewer.userId}
      where p.id = any(${sql.param(ids)}::int[]) and p.listed and w.user_id is null
      order by array_position(${sql.param(ids)}::int[], p.id) limit ${Math.max(0, room)}`);
    await insertWishes(
      tx,
      viewer.userId,
      existing.map(({ id }) => id),
    );
    return listWishedProducts(tx, viewer.userId);
  });
}
