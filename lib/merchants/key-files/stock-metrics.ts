import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { defineMetrics } from "@/lib/platform/telemetry/database-metrics";
import { COUNTED_KEYS, DEFAULT_ALERT, isLow, RATE_DAYS, type StockAlert } from "./rules";

/** Plans that are looked at: those that sold most, and those with a setting of their own. */
const PLANS_READ = 2_000;
/** Plans that a scrape names, those with the fewest codes first. */
const PLANS_NAMED = 50;

type Row = StockAlert & { plan: string; product: string; available: number; sold: number; waiting: number };

/**
 * Plans whose codes run low, by the threshold that also decides when a merchant is notified: a week of sales, or what is set
 * for the plan.
 */
export const STOCK_METRICS = defineMetrics<Row>({
  seconds: 60,
  sql: `
    with sales as materialized (
      select plan_id, sum(units)::int as sold from plan_sales_daily
      where day > (shop_now() at time zone 'UTC')::date - ${RATE_DAYS} group by plan_id order by 2 desc limit ${PLANS_READ}),
    candidates as materialized (
      select plan_id from sales union select * from (select plan_id from stock_alerts order by plan_id limit ${PLANS_READ}) a)
    select x.id::text as plan, p.slug as product, coalesce(a.kind, '${DEFAULT_ALERT.kind}') as kind,
      coalesce(a.value, ${DEFAULT_ALERT.value}) as value, coalesce(s.sold, 0) as sold,
      (select count(*)::int from (select from keys k where k.plan_id = x.id and ${SELLABLE_KEY} limit ${COUNTED_KEYS}) n) as available,
      (select count(*)::int from (select from wait_list q where q.plan_id = x.id and q.state = 'waiting' limit 1) n) as waiting
    from candidates c join plans x on x.id = c.plan_id and x.listed join products p on p.id = x.product_id and p.listed
    left join sales s on s.plan_id = x.id left join stock_alerts a on a.plan_id = x.id`,
  gauges: {
    passlane_plans_low: { help: "Plans whose available codes are below their threshold." },
    passlane_plan_low_stock: {
      help: `Available codes of the plans below their threshold, of ${PLANS_NAMED} plans at most.`,
      labels: ["product", "plan"],
    },
  },
  toSamples(rows) {
    const low = rows
      .filter((row) => row.available < COUNTED_KEYS && isLow(row, row))
      .sort((a, b) => a.available - b.available);
    return [
      { name: "passlane_plans_low", value: low.length },
      ...low.slice(0, PLANS_NAMED).map(({ product, plan, available }) => ({
        name: "passlane_plan_low_stock",
        labels: { product, plan },
        value: available,
      })),
    ];
  },
});
