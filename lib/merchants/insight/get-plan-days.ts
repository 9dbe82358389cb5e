import { sql } from "drizzle-orm";
import { reportDb } from "@/db/client";
import type { PlanDays } from "@/lib/merchants/insight/contract";
import { type Forecast, forecast } from "@/lib/merchants/insight/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { type PlanRow, toPlanName } from "./list-plan-figures";
import { HISTORY_DAYS, readDemand, toTenths } from "./read-demand";

type DayRow = { day: string; views: number; carts: number; paid: number };

/**
 * One plan of the merchant in the last weeks, with its forecast.
 * @throws ShopError product_unknown: not a plan of the merchant
 */
export async function getPlanDays(viewer: MerchantViewer, planId: number, locale: Locale): Promise<PlanDays> {
  const [plan] = await reportDb.execute<PlanRow>(sql`
    select p.id as product_id, coalesce(t.name, translate_product_text(e.name, ${locale})) as product_name, x.id as vip_id, x.type, x.duration_days
    from plans x join products p on p.id = x.product_id
    left join product_texts t on t.product_id = p.id and t.locale = ${locale}
    left join product_texts e on e.product_id = p.id and e.locale = 'en'
    where x.id = ${planId} and p.merchant_id = ${viewer.merchant.id}`);
  if (!plan) throw new ShopError("product_unknown");
  const days = await reportDb.execute<DayRow>(sql`
    select to_char(g.day, 'YYYY-MM-DD') as day, coalesce(v.views, 0) as views, coalesce(c.carts, 0) as carts, coalesce(s.units, 0) as paid
    from (select d::date as day from generate_series((shop_now() at time zone 'UTC')::date::timestamp - make_interval(days => ${HISTORY_DAYS - 1}),
      (shop_now() at time zone 'UTC')::date::timestamp, interval '1 day') d) g
    left join product_views_daily v on v.product_id = ${plan.product_id} and v.day = g.day
    left join plan_carts_daily c on c.plan_id = ${planId} and c.day = g.day
    left join plan_sales_daily s on s.plan_id = ${planId} and s.day = g.day
    order by g.day`);
  const { facts, shown } = (await readDemand([planId])).get(planId)!;
  return {
    ...toPlanName(plan, locale),
    days: [...days],
    history_days: shown.history_days,
    forecast: toDays(days.at(-1)!.day, forecast(facts)),
  };
}

/** The expected units of each day, beginning with today. */
const toDays = (today: string, { days }: Forecast): PlanDays["forecast"] =>
  days.map((expected, i) => ({
    day: new Date(Date.parse(`${today}T00:00:00Z`) + i * 86_400_000).toISOString().slice(0, 10),
    expected: toTenths(expected),
  }));
