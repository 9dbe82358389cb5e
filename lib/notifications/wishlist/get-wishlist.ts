import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { listWithoutPages } from "@/lib/catalog/listing/list-products";
import { WISHES_MAX } from "@/lib/notifications/rules";
import type { Viewer } from "@/lib/platform/auth/session";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ListWishesInput, WishedProducts, Wishlist } from "./contract";

/** The products on an account's wishlist, last saved first. */
export async function listWishedProducts(tx: Db, userId: string): Promise<WishedProducts> {
  const rows = await tx.execute<{ product_id: number }>(sql`
    select product_id from wishes where user_id = ${userId} order by created_at desc, product_id`);
  return { product_ids: rows.map(({ product_id }) => product_id), total: rows.length };
}

/**
 * The wishlist of the viewer's account; for a guest the products that the browser has kept
 * (docs/product.md#77-notifications-tracking-merchants).
 */
export async function getWishlist(viewer: Viewer, input: ListWishesInput, locale: Locale): Promise<Wishlist> {
  const ids =
    viewer.kind === "user"
      ? (await listWishedProducts(db, viewer.userId)).product_ids
      : (input.product_ids ?? []);
  if (ids.length === 0) return { items: [], total: 0 };
  const list = await listWithoutPages({
    locale,
    productCondition: sql`and o.product_id = any(${sql.param(ids)}::int[])`,
    order: "recommend",
    limit: WISHES_MAX,
  });
  const places = new Map(ids.map((id, place) => [id, place]));
  const items = list.items.sort((a, b) => places.get(a.product_id)! - places.get(b.product_id)!);
  return { items, total: items.length };
}
