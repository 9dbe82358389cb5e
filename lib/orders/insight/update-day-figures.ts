import { client } from "@/db/client";

/** Days that the nightly recount covers: within them a late delivery may still change a day. */
const RECOUNTED_DAYS = 40;
/** Days of stock that are computed when there are none yet. */
const FIRST_STOCK_DAYS = 90;

/** A day whose figures differ from the recount, although it had ended: `stored` and `counted`, money in cents. */
export type FigureDifference = { day: string; stored: SalesFigures; counted: SalesFigures };
type SalesFigures = { orders: number; revenueCents: number; refundedCents: number; stockOuts: number };

/**
 * Writes sales_daily, stock_daily and plan_sales_daily since yesterday, and since the last written day where that is earlier; the first time
 * since the first paid order. Orders and keys are read after the fact, so that a sale writes nothing for it. The lines of an
 * order and the key of an event are read by a subquery of each row: with a join Postgres would read those tables as a whole.
 */
export async function updateDayFigures(): Promise<void> {
  const [first] = await client()<{ sales: string | null; stock: string; plans: string }[]>`
    select to_char(least(today - 1, coalesce((select max(day) from sales_daily),
        (select (min(paid_at) at time zone 'UTC')::date from orders where paid_at is not null))), 'YYYY-MM-DD') as sales,
      to_char(least(today - 1, coalesce((select max(day) from stock_daily), today - ${FIRST_STOCK_DAYS}::int)), 'YYYY-MM-DD')
        as stock,
      to_char(least(today - 1, coalesce((select max(day) from plan_sales_daily), today - ${FIRST_STOCK_DAYS}::int)), 'YYYY-MM-DD')
        as plans
    from (select (shop_now() at time zone 'UTC')::date as today) clock`;
  await writeSales(first!.sales!);
  await writeStock(first!.stock);
  await writePlanSales(first!.plans);
}

/**
 * Counts the last RECOUNTED_DAYS again and corrects them. Returns the days before yesterday whose orders, money or
 * stock-outs were stored with other values: they have ended, so this is an error of the figures or of the books. The
 * median of deliveries is corrected only: a code that comes late changes the day of its payment.
 */
export async function recountDayFigures(): Promise<FigureDifference[]> {
  const read = () => client()<(SalesFigures & { day: string })[]>`
    select to_char(day, 'YYYY-MM-DD') as day, orders, revenue_cents::float8 as "revenueCents",
      refunded_cents::float8 as "refundedCents",
      (select count(*)::int from stock_daily k where k.day = sales_daily.day and k.ran_out > 0) as "stockOuts"
    from sales_daily where day >= (shop_now() at time zone 'UTC')::date - ${RECOUNTED_DAYS}::int
      and day < (shop_now() at time zone 'UTC')::date - 1 order by day`;
  const stored = new Map((await read()).map(({ day, ...figures }) => [day, figures]));
  const [first] = await client()<{ day: string }[]>`
    select to_char((shop_now() at time zone 'UTC')::date - ${RECOUNTED_DAYS}::int, 'YYYY-MM-DD') as day`;
  await writeSales(first!.day);
  await writeStock(first!.day);
  await writePlanSales(first!.day);
  return (await read()).flatMap(({ day, ...counted }) => {
    const before = stored.get(day);
    const differs =
      before && Object.entries(counted).some(([name, value]) => before[name as "orders"] !== value);
    return differs ? [{ day, stored: before, counted }] : [];
  });
}

/** Writes the sales of each day from `day` to today. */
async function writeSales(day: string): Promise<void> {
  await client()`
    with days as (
      select d.day::date as day from generate_series(${day}::date::timestamp, (shop_now() at time zone 'UTC')::date::timestamp,
        interval '1 day') d(day)
    ), paid as (
      select (paid_at at time zone 'UTC')::date as day, count(*)::int as orders,
        count(*) filter (where in_time)::int as delivered,
        percentile_cont(0.5) within group (order by extract(epoch from shipped_at - paid_at)) filter (where in_time) as seconds
      from (select o.paid_at, o.shipped_at, o.shipped_at is not null
          and not (select bool_or(l.pre_order) from order_lines l where l.order_id = o.id) as in_time
        from orders o where o.paid_at >= ${day}::date::timestamp at time zone 'UTC') o
      group by 1
    ), booked as (
      select (created_at at time zone 'UTC')::date as day,
        -sum(amount_cents) filter (where account = 'sales') as revenue,
        sum(amount_cents) filter (where account = 'refunds') as refunded
      from ledger_entries where created_at >= ${day}::date::timestamp at time zone 'UTC' group by 1
    )
    insert into sales_daily as s (day, orders, revenue_cents, refunded_cents, delivered, delivery_seconds)
    select days.day, coalesce(p.orders, 0), coalesce(b.revenue, 0), coalesce(b.refunded, 0), coalesce(p.delivered, 0),
      round(p.seconds)::int
    from days left join paid p on p.day = days.day left join booked b on b.day = days.day
    on conflict (day) do update set orders = excluded.orders, revenue_cents = excluded.revenue_cents,
      refunded_cents = excluded.refunded_cents, delivered = excluded.delivered,
      delivery_seconds = excluded.delivery_seconds, updated_at = shop_now()
    where (s.orders, s.revenue_cents, s.refunded_cents, s.delivered, s.delivery_seconds) is distinct from
      (excluded.orders, excluded.revenue_cents, excluded.refunded_cents, excluded.delivered, excluded.delivery_seconds)`;
}

/**
 * Writes the stock of each plan and day from `day` to today that has key events, counted back from the codes available
 * now. A code leaves the stock when it is reserved or withheld, or revoked or quarantined while available; it returns when
 * it is released or restocked.
 */
async function writeStock(day: string): Promise<void> {
  await client()`
    with events as (
      select e.id, e.created_at, (select k.plan_id from keys k where k.id = e.key_id) as plan_id,
        case when e.event in ('imported', 'released', 'restocked') then 1 else -1 end as delta
      from key_events e
      where e.created_at >= ${day}::date::timestamp at time zone 'UTC'
        and (e.event in ('imported', 'released', 'restocked', 'reserved') or (e.event in ('revoked', 'withheld', 'quarantined')
          and (select b.event from key_events b where b.key_id = e.key_id and b.id < e.id
            and b.event in ('imported', 'released', 'restocked', 'reserved', 'withheld') order by b.id desc limit 1)
            in ('imported', 'released', 'restocked')))
    ), stock as (
      select p.plan_id, (select count(*) from keys k where k.plan_id = p.plan_id and k.state = 'available') as available
      from (select distinct plan_id from events) p
    ), running as (
      select (e.created_at at time zone 'UTC')::date as day, e.plan_id, e.created_at, e.id, e.delta,
        s.available - coalesce(sum(e.delta) over (partition by e.plan_id order by e.created_at desc, e.id desc
          rows between unbounded preceding and 1 preceding), 0) as after
      from events e join stock s on s.plan_id = e.plan_id
    )
    insert into stock_daily as d (day, plan_id, opening, closing, lowest, ran_out)
    select day, plan_id, (array_agg(after - delta order by created_at, id))[1],
      (array_agg(after order by created_at desc, id desc))[1],
      least(min(after), (array_agg(after - delta order by created_at, id))[1]),
      count(*) filter (where after = 0 and delta < 0)
    from running group by day, plan_id
    on conflict (day, plan_id) do update set opening = excluded.opening, closing = excluded.closing,
      lowest = excluded.lowest, ran_out = excluded.ran_out
    where (d.opening, d.closing, d.lowest, d.ran_out) is distinct from
      (excluded.opening, excluded.closing, excluded.lowest, excluded.ran_out)`;
}

/** Writes the paid units of each plan and day from `day` to today. */
async function writePlanSales(day: string): Promise<void> {
  await client()`
    insert into plan_sales_daily as d (plan_id, day, units)
    select l.plan_id, (o.paid_at at time zone 'UTC')::date, sum(l.quantity)::int
    from orders o cross join lateral (select plan_id, quantity from order_lines where order_id = o.id offset 0) l
    where o.paid_at >= ${day}::date::timestamp at time zone 'UTC'
    group by 1, 2
    on conflict (plan_id, day) do update set units = excluded.units where d.units <> excluded.units`;
}
