import { client } from "@/db/client";

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
