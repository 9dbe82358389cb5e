import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import type { WishlistItem } from "@/emails/wishlist";
import { listWithoutPages } from "@/lib/catalog/queries";
import { AVAILABILITY_NOW, SELLABLE_KEY } from "@/lib/catalog/rules";
import { RUNNING_DEAL_SQL } from "@/lib/notifications/deals/commands";
import { WISHES_MAX } from "@/lib/notifications/rules";
import type { Viewer } from "@/lib/platform/auth/session";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { ListWishesInput, WishedProducts, Wishlist } from "./contract";

/** SQL: a plan `pl` is listed and can be bought now. */
export const BUYABLE_SQL = sql`(pl.listed and (${sql.raw(AVAILABILITY_NOW)} = 'pre_order' or (${sql.raw(AVAILABILITY_NOW)} = 'in_stock'
  and exists (select from keys k where k.plan_id = pl.id and ${sql.raw(SELLABLE_KEY)}))))`;

/** SQL: the price of a plan `pl` now, with its running deal. */
export const PRICE_NOW_SQL = sql`coalesce((select d.price_cents from deals d where d.plan_id = pl.id and ${RUNNING_DEAL_SQL}), pl.price_cents)`;

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
  const list = await listWithoutPages((sql) => ({
    locale,
    productCondition: sql`and o.product_id = any(${ids}::int[])`,
    order: "recommend",
    limit: WISHES_MAX,
  }));
  const places = new Map(ids.map((id, place) => [id, place]));
  const items = list.items.sort((a, b) => places.get(a.product_id)! - places.get(b.product_id)!);
  return { items, total: items.length };
}

/** What an email says about a plan: it costs less than `previousCents`, or (null) its product is back in stock. */
export type WishNews = { planId: number; previousCents: number | null };

/**
 * The passes of a wishlist email that are still news: on the account's wishlist, buyable, and cheaper than before or back.
 * null: none is left.
 */
export async function findWishlistMail(
  userId: string,
  news: readonly WishNews[],
  locale: Locale,
): Promise<{ items: WishlistItem[] } | null> {
  const [planIds, previous] = [
    news.map(({ planId }) => planId),
    news.map(({ previousCents }) => previousCents),
  ];
  const items = await db.execute<WishlistItem>(sql`
    select p.slug, pl.id as "vipId", coalesce(t.name, translate_product_text(e.name, ${locale})) as "productName", case when t.locale is null and translate_product_text(e.name, ${locale}) = e.name then 'en' else ${locale} end as language,
      p.vendor, pl.type as "vipType", pl.duration_days as "durationDays", ${PRICE_NOW_SQL} as "priceCents",
      n.previous as "previousCents"
    from unnest(${sql.param(planIds)}::int[], ${sql.param(previous)}::int[]) with ordinality n (plan_id, previous, place)
    join plans pl on pl.id = n.plan_id join products p on p.id = pl.product_id and p.listed
    join wishes w on w.product_id = p.id and w.user_id = ${userId}
    join product_texts e on e.product_id = p.id and e.locale = 'en'
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    where ${BUYABLE_SQL} and (n.previous is null or ${PRICE_NOW_SQL} < n.previous)
    order by n.place`);
  return items.length > 0 ? { items: [...items] } : null;
}
