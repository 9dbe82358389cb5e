import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { productNameSql } from "@/lib/catalog/console/list-console-products";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { type PassType, SELLABLE_KEY } from "@/lib/catalog/rules";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { Locale } from "@/lib/platform/i18n/locales";
import { COUNTED_KEYS, DEFAULT_ALERT, isLow, RATE_DAYS, type StockAlert } from "./rules";

/** SQL: paid units of plan `x` in the time that makes the rate. */
export const SOLD_UNITS_SQL = sql`(select coalesce(sum(s.units), 0)::int from plan_sales_daily s where s.plan_id = x.id
  and s.day > (shop_now() at time zone 'UTC')::date - ${RATE_DAYS}::int)`;

/** SQL: what decides whether plan `x` with the setting `a` runs low; waiting people are not counted. */
export const STOCK_STATE_SQL = sql`
  coalesce(a.kind, ${DEFAULT_ALERT.kind}) as kind, coalesce(a.value, ${DEFAULT_ALERT.value}) as value, ${SOLD_UNITS_SQL} as sold,
  (select count(*)::int from (select from keys k where k.plan_id = x.id and ${sql.raw(SELLABLE_KEY)} limit ${COUNTED_KEYS}) n) as available,
  (select count(*)::int from (select from wait_list q where q.plan_id = x.id and q.state = 'waiting' limit 1) n) as waiting`;
export type StockState = StockAlert & { sold: number; available: number; waiting: number };

/** Whether a plan with these counted codes runs low. */
export const isShort = (state: StockState): boolean => state.available < COUNTED_KEYS && isLow(state, state);

type ShortPlan = StockState & { plan_id: number; name: string; type: PassType; days: number | null };
export type LowStock = { plan_id: number; product_name: string; plan_label: string; available: number };

/** Plans that the first page checks. */
const WATCHED_PLANS = 300;

/** The merchant's plans on sale without a code or whose codes run low, those with the fewest codes first. */
export async function listLowStock({ merchant }: MerchantViewer, locale: Locale): Promise<LowStock[]> {
  const rows = await db.execute<ShortPlan>(sql`
    select x.id as plan_id, coalesce(${productNameSql("p.id", locale)}, p.slug) as name, x.type, x.duration_days as days, ${STOCK_STATE_SQL}
    from products p join plans x on x.product_id = p.id and x.listed left join stock_alerts a on a.plan_id = x.id
    where p.merchant_id = ${merchant.id} and p.listed
    order by p.id desc, x.position limit ${WATCHED_PLANS}`);
  return rows
    .filter((row) => isShort(row) || (row.available === 0 && row.kind !== "off"))
    .sort((a, b) => a.available - b.available)
    .map(({ plan_id, name, type, days, available }) => ({
      plan_id,
      product_name: name,
      plan_label: passLabel({ pass_type: type, duration_days: days }, locale),
      available,
    }));
}
