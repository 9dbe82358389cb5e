import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { WishlistItem } from "@/emails/wishlist";
import type { Locale } from "@/lib/platform/i18n/locales";
import { BUYABLE_SQL, PRICE_NOW_SQL } from "./prices-now";

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
