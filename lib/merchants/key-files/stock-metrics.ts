import { HISTORY_DAYS } from "@/lib/merchants/insight/read-demand";
import { defineMetrics } from "@/lib/platform/telemetry/database-metrics";
import { isShort, STOCK_STATE, type StockState } from "./list-low-stock";

/** Plans that are looked at: those that sold most, and those with a setting of their own. */
const PLANS_READ = 2_000;
/** Plans that a scrape names, those with the fewest codes first. */
const PLANS_NAMED = 50;

type Row = StockState & { plan: string; product: string };

/**
 * Plans whose codes run low, by the threshold that also decides when a merchant is notified: a week of sales, or what is set
 * for the plan.
 */
export const STOCK_METRICS = defineMetrics<Row>({
  seconds: 60,
  sql: `
    with candidates as materialized (
      select plan_id from (select plan_id from plan_sales_daily where day > (shop_now() at time zone 'UTC')::date - ${HISTORY_DAYS}
        group by plan_id order by sum(units) desc limit ${PLANS_READ}) s
      union select * from (select plan_id from stock_alerts order by plan_id limit ${PLANS_READ}) a)
    select x.id::text as plan, p.slug as product, ${STOCK_STATE}
    from candidates c join plans x on x.id = c.plan_id and x.listed join products p on p.id = x.product_id and p.listed
    left join stock_alerts a on a.plan_id = x.id`,
  gauges: {
    passlane_plans_low: { help: "Plans whose available codes are below their threshold." },
    passlane_plan_low_stock: {
      help: `Available codes of the plans below their threshold, of ${PLANS_NAMED} plans at most.`,
      labels: ["product", "plan"],
    },
  },
  toSamples(rows) {
    const low = rows.filter(isShort).sort((a, b) => a.available - b.available);
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
