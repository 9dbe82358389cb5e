import { client } from "@/db/client";
import { INSIGHT_DAYS, MAX_SOURCES, SOURCE_LENGTH } from "@/lib/tracking/insight/rules";
import { RETENTION_DAYS } from "@/lib/tracking/rules";

/** Days that the nightly recount covers. */
const RECOUNTED_DAYS = 7;
/** Days that one statement counts, so that the first run takes no long one. */
const DAYS_AT_ONCE = 7;

/** A day whose figures differ from the recount, although it had ended: `stored` and `counted`. */
export type SourceDifference = { day: string; stored: DayFigures; counted: DayFigures };
type DayFigures = { visits: number; product_views: number; orders: number; paid: number };

/**
 * Writes source_figures_daily since yesterday, and since the last written day where that is earlier; the first time for all
 * days whose visits are kept. Then sums the periods.
 */
export async function updateSourceFigures(): Promise<void> {
  const [first] = await client()<{ day: string }[]>`
    select to_char(greatest(today - ${RETENTION_DAYS - 1}::int,
      least(today - 1, coalesce((select max(day) from source_figures_daily), today - ${RETENTION_DAYS}::int))), 'YYYY-MM-DD') as day
    from (select (shop_now() at time zone 'UTC')::date as today) clock`;
  await writeDays(first!.day);
  await writePeriods();
}

/**
 * Counts the last RECOUNTED_DAYS again, corrects them, and deletes the days whose visits are no longer kept. Returns
 * the days before yesterday that were stored with other values: they have ended, so this is an error of the figures.
 * Single sources may differ without an error: the deletion of an account removes the source of its orders.
 */
export async function recountSourceFigures(): Promise<SourceDifference[]> {
  const read = () => client()<(DayFigures & { day: string })[]>`
    select to_char(day, 'YYYY-MM-DD') as day, visits, product_views, orders, paid from source_figures_daily
    where kind = 'all' and day >= (shop_now() at time zone 'UTC')::date - ${RECOUNTED_DAYS}::int
      and day < (shop_now() at time zone 'UTC')::date - 1 order by day`;
  const stored = new Map((await read()).map(({ day, ...figures }) => [day, figures]));
  const [first] = await client()<{ day: string }[]>`
    select to_char((shop_now() at time zone 'UTC')::date - ${RECOUNTED_DAYS}::int, 'YYYY-MM-DD') as day`;
  await writeDays(first!.day);
  await client()`
    delete from source_figures_daily where day <= (shop_now() at time zone 'UTC')::date - ${RETENTION_DAYS}::int`;
  await writePeriods();
  return (await read()).flatMap(({ day, ...counted }) => {
    const before = stored.get(day);
    const differs =
      before && Object.entries(counted).some(([name, value]) => before[name as "visits"] !== value);
    return differs ? [{ day, stored: before, counted }] : [];
  });
}

/** Writes the figures of each day from `day` to today, some days at a time. */
async function writeDays(day: string): Promise<void> {
  const parts = await client()<{ from: string; until: string }[]>`
    select to_char(d, 'YYYY-MM-DD') as "from", to_char(d + make_interval(days => ${DAYS_AT_ONCE}::int), 'YYYY-MM-DD') as until
    from generate_series(${day}::date::timestamp, (shop_now() at time zone 'UTC')::date::timestamp,
      make_interval(days => ${DAYS_AT_ONCE}::int)) d order by d`;
  for (const { from, until } of parts) await writePart(from, until);
}

/**
 * Writes the figures of the days from `from` to before `until`. A cart counts on the day and by the source of its
 * oldest item, even once it is ordered; an order without a cart counts as one on its own day. A cart that is emptied
 * later stays counted, so that the stored count is a minimum. `offset 0` makes Postgres read the orders of these days,
 * and the lines of each by its order: there is no index of `cart_at`. The sources with most orders and visits of a day
 * have a row each; the others share one.
 */
async function writePart(from: string, until: string): Promise<void> {
  const sql = client();
  const startsAt = sql`${from}::date::timestamp at time zone 'UTC'`;
  const endsAt = sql`${until}::date::timestamp at time zone 'UTC'`;
  const source = sql`left(btrim(coalesce(source, '')), ${SOURCE_LENGTH}::int)`;
  const sourceOfCart = sql`left(btrim(coalesce(cart_source, '')), ${SOURCE_LENGTH}::int)`;
  const sourceOfOrder = sql`left(btrim(coalesce(attribution->>'source', '')), ${SOURCE_LENGTH}::int)`;
  await sql`
    with counted as (
      select day, source, sum(visits)::int as visits, sum(product_views)::int as product_views, sum(carts)::int as carts,
        sum(orders)::int as orders, sum(paid)::int as paid
      from (
        select (created_at at time zone 'UTC')::date as day, ${source} as source, count(*) as visits,
          count(*) filter (where starts_with(path, '/product/')) as product_views, 0 as carts, 0 as orders, 0 as paid
        from visits where created_at >= ${startsAt} and created_at < ${endsAt} group by 1, 2
        union all
        select day, source, 0, 0, count(*), 0, 0
        from (select (created_at at time zone 'UTC')::date as day, ${source} as source, user_id, created_at, id from cart_lines
          where created_at >= ${startsAt} and created_at < ${endsAt}) c
        where not exists (select from cart_lines e where e.user_id = c.user_id and (e.created_at, e.id) < (c.created_at, c.id))
          and not exists (select from orders o join order_lines l on l.order_id = o.id where o.user_id = c.user_id
            and l.cart_at >= c.day::timestamp at time zone 'UTC' and l.cart_at < (c.day + 1)::timestamp at time zone 'UTC' offset 0)
        group by 1, 2
        union all
        select (cart_at at time zone 'UTC')::date, ${sourceOfCart}, 0, 0, count(*), 0, 0
        from (select id from orders where created_at >= ${startsAt} offset 0) o
        cross join lateral (select id, order_id, cart_at, cart_source from order_lines where order_id = o.id offset 0) l
        where cart_at >= ${startsAt} and cart_at < ${endsAt} and not exists (select from order_lines e
          where e.order_id = l.order_id and e.cart_at is not null and (e.cart_at, e.id) < (l.cart_at, l.id) offset 0)
        group by 1, 2
        union all
        select (created_at at time zone 'UTC')::date, ${sourceOfOrder}, 0, 0,
          count(*) filter (where not exists (select from order_lines l where l.order_id = o.id and l.cart_at is not null offset 0)), count(*), 0
        from orders o where created_at >= ${startsAt} and created_at < ${endsAt} group by 1, 2
        union all
        select (paid_at at time zone 'UTC')::date, ${sourceOfOrder}, 0, 0, 0, 0, count(*)
        from orders where paid_at >= ${startsAt} and paid_at < ${endsAt} group by 1, 2) part
      group by 1, 2
    ), merged as (
      select day, source, coalesce(c.visits, 0) as visits, coalesce(c.product_views, 0) as product_views,
        greatest(c.carts, d.carts) as carts, coalesce(c.orders, 0) as orders, coalesce(c.paid, 0) as paid
      from counted c full join (select * from source_figures_daily where kind in ('none', 'named') and day >= ${from}::date
        and day < ${until}::date) d using (day, source)
    ), ranked as (
      select *, case when source = '' then 'none' when row_number() over (partition by day, source = ''
        order by paid desc, orders desc, visits desc, carts desc, source) <= ${MAX_SOURCES}::int then 'named' else 'other' end as kind
      from merged
    ), parts as (
      select day, kind, case kind when 'named' then source else '' end as source, sum(visits)::int as visits,
        sum(product_views)::int as product_views, sum(carts)::int as carts, sum(orders)::int as orders, sum(paid)::int as paid
      from ranked group by 1, 2, 3
    ), figures as (
      select * from parts
      union all
      select day, 'all', '', sum(visits)::int, sum(product_views)::int, sum(carts)::int, sum(orders)::int, sum(paid)::int
      from parts group by day
    ), gone as (
      delete from source_figures_daily d where d.day >= ${from}::date and d.day < ${until}::date
        and not exists (select from figures f where f.day = d.day and f.kind = d.kind and f.source = d.source)
    )
    insert into source_figures_daily as d (day, kind, source, visits, product_views, carts, orders, paid)
    select day, kind, source, visits, product_views, carts, orders, paid from figures
    on conflict (day, kind, source) do update set visits = excluded.visits, product_views = excluded.product_views,
      carts = excluded.carts, orders = excluded.orders, paid = excluded.paid
    where (d.visits, d.product_views, d.carts, d.orders, d.paid) is distinct from
      (excluded.visits, excluded.product_views, excluded.carts, excluded.orders, excluded.paid)`;
}

/** Writes source_figures: the sums of the days of each period. */
async function writePeriods(): Promise<void> {
  await client()`
    with figures as (
      select p.days, d.kind, d.source, sum(visits)::int as visits, sum(product_views)::int as product_views,
        sum(carts)::int as carts, sum(orders)::int as orders, sum(paid)::int as paid
      from unnest(${[...INSIGHT_DAYS]}::int[]) p(days)
      join source_figures_daily d on d.day > (shop_now() at time zone 'UTC')::date - p.days group by 1, 2, 3
    ), gone as (
      delete from source_figures t
      where not exists (select from figures f where f.days = t.days and f.kind = t.kind and f.source = t.source)
    )
    insert into source_figures as t (days, kind, source, visits, product_views, carts, orders, paid)
    select days, kind, source, visits, product_views, carts, orders, paid from figures
    on conflict (days, kind, source) do update set visits = excluded.visits, product_views = excluded.product_views,
      carts = excluded.carts, orders = excluded.orders, paid = excluded.paid
    where (t.visits, t.product_views, t.carts, t.orders, t.paid) is distinct from
      (excluded.visits, excluded.product_views, excluded.carts, excluded.orders, excluded.paid)`;
}
