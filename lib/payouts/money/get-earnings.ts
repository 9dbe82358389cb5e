import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { CHART_DAYS, type EarningDay, type Earnings } from "@/lib/payouts/money/rules-earnings";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { entryKindSql } from "./entry-kind-sql";

/** What a merchant's sales brought by UTC day: the sums of the same entries that its account lists. */
export async function getEarnings({ merchant }: Pick<MerchantViewer, "merchant">): Promise<Earnings> {
  const rows = await db.execute<EarningDay & { byNow: number }>(sql`
    with clock as (select (shop_now() at time zone 'UTC') as now), entries as (
      select (e.created_at at time zone 'UTC') as at, -e.amount_cents as cents, ${entryKindSql(sql`e`)} as kind
      from ledger_entries e where e.merchant_id = ${merchant.id} and e.account = 'merchant_payable' and e.line_id is not null
        and e.created_at >= ((select now::date from clock) - ${2 * CHART_DAYS - 1}::int)::timestamp at time zone 'UTC')
    select to_char(d.day, 'YYYY-MM-DD') as day, coalesce(sum(e.cents) filter (where e.kind = 'sale'), 0)::float8 as earned,
      coalesce(-sum(e.cents) filter (where e.kind = 'return'), 0)::float8 as back,
      (count(*) filter (where e.kind = 'sale'))::int as sales,
      coalesce(sum(e.cents) filter (where e.kind = 'sale' and e.at::time <= (select now::time from clock)), 0)::float8 as "byNow"
    from generate_series((select now::date from clock) - ${2 * CHART_DAYS - 1}::int, (select now::date from clock), interval '1 day') d(day)
    left join entries e on e.at::date = d.day::date
    group by d.day order by d.day`);
  return {
    days: rows.map(({ day, earned, back, sales }) => ({ day, earned, back, sales })),
    yesterdayByNow: rows.at(-2)?.byNow ?? 0,
  };
}
