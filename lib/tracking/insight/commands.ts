import { sql } from "drizzle-orm";
import { client, transaction } from "@/db/client";
import { SearchProductsInput } from "@/lib/catalog/contract";
import { searchProducts } from "@/lib/catalog/search/queries";
import { searchFold } from "@/lib/catalog/search/rules-text";
import { listFrequentSearches } from "@/lib/tracking/insight/queries";
import {
  ASKED_SEARCHES,
  INSIGHT_DAYS,
  MAX_SOURCES,
  SOURCE_LENGTH,
} from "@/lib/tracking/insight/rules";
import { RETENTION_DAYS } from "@/lib/tracking/rules";

/** Days that the nightly recount covers. */
const RECOUNTED_DAYS = 7;
/** Days that one statement counts, so that the first run takes no long one. */
const DAYS_AT_ONCE = 7;

/** A day whose figures differ from the recount, although it was over: `stored` and `counted`. */
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
 * Counts the last RECOUNTED_DAYS again, corrects them, and deletes the days whose visits are no longer kept. Returns the days
 * before yesterday that had been stored otherwise: they are over, so that this is an error of the figures. Single sources may
 * differ without an error: the deletion of an account removes the source of its orders.
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
 * Writes the figures of the days from `from` to before `until`. A person who has something in the cart and has ordered nothing
 * on the day counts as a cart beside the orders. A cart that is emptied later stays counted, so that the stored count is the
 * least. The sources with most orders and visits of a day have a row each; the others share one.
 */
async function writePart(from: string, until: string): Promise<void> {
  await client()`
    with window_ as (
      select ${from}::date::timestamp at time zone 'UTC' as starts_at, ${until}::date::timestamp at time zone 'UTC' as ends_at
    ), rows as (
      select v.created_at as at, v.source, count(*)::int as visits, 1 from visits v where false group by 1, 2
    ), counted as (
      select 1
    )
    select 1`;
}
