import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { queueMail } from "@/lib/notifications/queue-mail";
import { WISHES_IN_MAIL, WISHLIST_MAIL_HOURS } from "@/lib/notifications/rules";
import type { WishNews } from "./find-wishlist-mail";
import { PRODUCT_NOW_SQL } from "./prices-now";

/** SQL: the same of every product on a wishlist, once for each, for `with …`. */
const NOW_OF_WISHED_SQL = sql`now as materialized (
  select w.product_id, now.* from (select distinct product_id from wishes) w cross join ${PRODUCT_NOW_SQL})`;

/** SQL: the owner `u` of wishes receives emails about them. */
const RECEIVES_MAIL_SQL = sql`(u.deleted_at is null and u.email_verified_at is not null
  and not exists (select from mail_optouts x where x.email = lower(u.email) and x.topic = 'wishlist'))`;

const BATCH = 500;

/**
 * Queues the emails about price drops and products back in stock: one for each account with a verified address in
 * WISHLIST_MAIL_HOURS, with up to WISHES_IN_MAIL products. What does not fit follows with the next email, if it is still
 * true then. Returns the number of queued emails.
 */
export async function notifyWishlists(): Promise<number> {
  await followPrices();
  let queued = 0;
  for (let after = ""; ; ) {
    const users = await db.execute<{ id: string }>(sql`
      with ${NOW_OF_WISHED_SQL}
      select u.id from (
          select distinct w.user_id as id from wishes w join now on now.product_id = w.product_id
          where w.user_id > ${after} and ${NEWS_SQL}) owner
        join users u on u.id = owner.id and ${RECEIVES_MAIL_SQL}
      where not exists (select from wishes w where w.user_id = u.id
          and w.mailed_at > shop_now() - make_interval(hours => ${WISHLIST_MAIL_HOURS}))
      order by u.id limit ${BATCH}`);
    for (const { id } of users) if (await transaction((tx) => queueWishlistMail(tx, id))) queued += 1;
    const last = users.at(-1);
    if (!last || users.length < BATCH) return queued;
    after = last.id;
  }
}

/** SQL: the product of a wish `w` is back, or one of its plans costs less than seen. */
const NEWS_SQL = sql`((now.in_stock and not w.seen_in_stock) or exists (
  select from jsonb_each_text(now.prices) n where n.value::int < (w.seen_prices ->> n.key)::int))`;

/**
 * Notes risen prices and sold-out products, so that what comes down or back later is news. Of those who receive no email
 * everything is noted, so that they are not told old news once they do.
 */
async function followPrices(): Promise<void> {
  await db.execute(sql`
    with ${NOW_OF_WISHED_SQL}, followed as (
      select w.user_id, w.product_id, w.seen_prices || case when ${RECEIVES_MAIL_SQL} then (
          select coalesce(jsonb_object_agg(n.key, greatest(n.value::int, coalesce((w.seen_prices ->> n.key)::int, 0))), '{}')
          from jsonb_each_text(now.prices) n) else now.prices end as prices,
        case when ${RECEIVES_MAIL_SQL} then w.seen_in_stock and (now.in_stock or now.held) else now.in_stock end as in_stock
      from wishes w
      join now on now.product_id = w.product_id and (w.seen_prices <> now.prices or w.seen_in_stock <> now.in_stock)
      join users u on u.id = w.user_id)
    update wishes w set seen_prices = f.prices, seen_in_stock = f.in_stock from followed f
    where w.user_id = f.user_id and w.product_id = f.product_id
      and (w.seen_prices <> f.prices or w.seen_in_stock <> f.in_stock)`);
}

async function queueWishlistMail(tx: Tx, userId: string): Promise<boolean> {
  // Serializes workers per account: the second one finds the emails of the first.
  const [user] = await tx.execute<{ email: string; locale: string; day: string; mailed: boolean }>(sql`
    select u.email, u.locale, to_char(shop_now(), 'YYYY-MM-DD') as day, exists (select from wishes w
      where w.user_id = u.id and w.mailed_at > shop_now() - make_interval(hours => ${WISHLIST_MAIL_HOURS})) as mailed
    from users u where u.id = ${userId} and ${RECEIVES_MAIL_SQL} for no key update`);
  if (!user || user.mailed) return false;
  const news = await tx.execute<WishNews & { productId: number }>(sql`
    select w.product_id as "productId", best."planId", best."previousCents"
    from wishes w cross join ${PRODUCT_NOW_SQL} cross join lateral (
      select n.key::int as "planId",
        case when w.seen_in_stock then (w.seen_prices ->> n.key)::int end as "previousCents"
      from jsonb_each_text(now.prices) n
      where not w.seen_in_stock or n.value::int < (w.seen_prices ->> n.key)::int
      -- The email names a product's largest drop, or the cheapest pass of one that is back.
      order by case when w.seen_in_stock then n.value::float / (w.seen_prices ->> n.key)::float end, n.value::int, n.key::int
      limit 1) best
    where w.user_id = ${userId} and ${NEWS_SQL}
    order by w.created_at desc, w.product_id limit ${WISHES_IN_MAIL}`);
  if (news.length === 0) return false;
  const queued = await queueMail(tx, {
    event: "wishlist",
    to: user.email,
    locale: user.locale,
    refs: { userId, news: writeNews(news) },
    dedupeKey: `wishlist:${userId}:${user.day}`,
  });
  if (!queued) return false;
  await tx.execute(sql`
    update wishes w set seen_prices = w.seen_prices || s.prices, seen_in_stock = s.in_stock, mailed_at = shop_now()
    from (select w.product_id, now.prices, now.in_stock from wishes w cross join ${PRODUCT_NOW_SQL} where w.user_id = ${userId}) s
    where w.user_id = ${userId} and w.product_id = s.product_id
      and w.product_id = any(${sql.param(news.map(({ productId }) => productId))}::int[])`);
  return true;
}

/** The news of an email as its reference: "12:1000 15:", plan and former price in cents, none for one that is back. */
const writeNews = (news: readonly WishNews[]): string =>
  news.map(({ planId, previousCents }) => `${planId}:${previousCents ?? ""}`).join(" ");

/** Reads the reference of an email. */
export const readNews = (text: string): WishNews[] =>
  text.split(" ").map((entry) => {
    const [planId = "", cents = ""] = entry.split(":");
    return { planId: Number(planId), previousCents: cents === "" ? null : Number(cents) };
  });
