import { sql } from "drizzle-orm";
import { client, transaction } from "@/db/client";
import type { productSearches } from "@/db/schema/merchants";
import { COUNTED_SEARCHES } from "@/lib/merchants/insight/rules";
import { type AnsweredSearch, answerFrequentSearches } from "@/lib/tracking/insight/answer-frequent-searches";
import { updateEmptySearches } from "@/lib/tracking/insight/update-empty-searches";

/** Days of visits and carts that are counted the first time. */
const FIRST_DAYS = 60;

/**
 * Writes product_views_daily and plan_carts_daily since yesterday, and since the last written day where that is earlier. A
 * cart counts on the day on which the plan was put into it, also once it is ordered; one that is emptied later stays counted.
 */
export async function updateProductFigures(): Promise<void> {
  const [first] = await client()<{ views: string; carts: string }[]>`
    select to_char(least(today - 1, coalesce((select max(day) from product_views_daily), today - ${FIRST_DAYS}::int)), 'YYYY-MM-DD') as views,
      to_char(least(today - 1, coalesce((select max(day) from plan_carts_daily), today - ${FIRST_DAYS}::int)), 'YYYY-MM-DD') as carts
    from (select (shop_now() at time zone 'UTC')::date as today) clock`;
  await client()`
    insert into product_views_daily as d (product_id, day, views)
    select p.id, v.day, v.views from (
      select path, (created_at at time zone 'UTC')::date as day, count(*)::int as views from visits
      where created_at >= ${first!.views}::date::timestamp at time zone 'UTC' and starts_with(path, '/product/')
      group by 1, 2) v join products p on p.slug = substr(v.path, ${"/product/".length + 1}::int)
    on conflict (product_id, day) do update set views = excluded.views where d.views < excluded.views`;
  await client()`
    insert into plan_carts_daily as d (plan_id, day, carts)
    select plan_id, day, count(*)::int from (
      select plan_id, (created_at at time zone 'UTC')::date as day from cart_lines
      where created_at >= ${first!.carts}::date::timestamp at time zone 'UTC'
      union all
      select l.plan_id, (coalesce(l.cart_at, o.created_at) at time zone 'UTC')::date
      from orders o join order_lines l on l.order_id = o.id
      where o.created_at >= ${first!.carts}::date::timestamp at time zone 'UTC'
        and coalesce(l.cart_at, o.created_at) >= ${first!.carts}::date::timestamp at time zone 'UTC') c
    group by 1, 2
    on conflict (plan_id, day) do update set carts = excluded.carts where d.carts < excluded.carts`;
}

/** Asks the most frequent searches of the last weeks again, once for what staff and merchants see of them. */
export async function updateSearches(): Promise<void> {
  const answered = await answerFrequentSearches();
  await updateEmptySearches(answered);
  await updateProductSearches(answered.slice(0, COUNTED_SEARCHES));
}

/** Rewrites product_searches: the products that the search shows first. */
async function updateProductSearches(answered: readonly AnsweredSearch[]): Promise<void> {
  const found = new Map<string, typeof productSearches.$inferInsert>();
  for (const { folded: content, searches, products } of answered) {
    for (const [i, product] of products.entries()) {
      const key = `${product} ${content}`;
      const before = found.get(key);
      const place = Math.min(i + 1, before?.place ?? Infinity);
      found.set(key, {
        productId: product,
        merchantId: "",
        content,
        searches: searches + (before?.searches ?? 0),
        place,
      });
    }
  }
  await transaction(async (tx) => {
    await tx.execute(sql`delete from product_searches`);
    const all = [...found.values()];
    if (all.length === 0) return;
    await tx.execute(sql`
      insert into product_searches (product_id, merchant_id, content, searches, place)
      select i.product_id, p.merchant_id, i.content, i.searches, i.place
      from unnest(${sql.param(all.map((row) => row.productId))}::int[], ${sql.param(all.map((row) => row.content))}::text[],
        ${sql.param(all.map((row) => row.searches))}::int[], ${sql.param(all.map((row) => row.place))}::int[])
        i(product_id, content, searches, place) join products p on p.id = i.product_id`);
  });
}
