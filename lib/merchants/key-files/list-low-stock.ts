import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { productNameSql } from "@/lib/catalog/console/list-console-products";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { type PassType, SELLABLE_KEY } from "@/lib/catalog/rules";
import { type PlanStock, SALES_HISTORY, toDemand } from "@/lib/merchants/insight/read-demand";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { Locale } from "@/lib/platform/i18n/locales";
import { COUNTED_KEYS, DEFAULT_ALERT, isLow, type StockAlert } from "./rules";

/** SQL: what decides whether plan `x` with the setting `a` runs low. */
export const STOCK_STATE = `
  coalesce(a.kind, '${DEFAULT_ALERT.kind}') as kind, coalesce(a.value, ${DEFAULT_ALERT.value}) as value, ${SALES_HISTORY} as history,
  (select count(*)::int from (select from keys k where k.plan_id = x.id and ${SELLABLE_KEY} limit ${COUNTED_KEYS}) n) as available,
  (select count(*)::int from (select from wait_list q where q.plan_id = x.id and q.outcome is null limit ${COUNTED_KEYS}) n) as waiting`;
export type StockState = StockAlert & PlanStock;

/** Whether a plan with these counted codes runs low. */
export const isShort = (state: StockState): boolean =>
  state.available < COUNTED_KEYS && isLow(state, { ...state, rate: toDemand(state).rate });

type ShortPlan = StockState & { plan_id: number; name: string; type: PassType; days: number | null };
export type LowStock = {
  plan_id: number;
  product_name: string;
  plan_label: string;
  available: number;
  waiting: number;
  /** codes to add, as in the list of codes */
  suggested: number;
};

/** Plans that the first page checks. */
const WATCHED_PLANS = 300;

/** The merchant's plans on sale without a code or whose codes run low, those with the fewest codes first. */
export async function listLowStock({ merchant }: MerchantViewer, locale: Locale): Promise<LowStock[]> {
  const rows = await db.execute<ShortPlan>(sql`
    select x.id as plan_id, coalesce(${productNameSql("p.id", locale)}, p.slug) as name, x.type, x.duration_days as days, ${sql.raw(STOCK_STATE)}
    from products p join plans x on x.product_id = p.id and x.listed left join stock_alerts a on a.plan_id = x.id
    where p.merchant_id = ${merchant.id} and p.listed
    order by p.id desc, x.position limit ${WATCHED_PLANS}`);
  return rows
    .filter((row) => isShort(row) || (row.available === 0 && row.kind !== "off"))
    .sort((a, b) => a.available - b.available)
    .map(({ plan_id, name, type, days, ...stock }) => ({
      plan_id,
      product_name: name,
      plan_label: passLabel({ pass_type: type, duration_days: days }, locale),
      available: stock.available,
      waiting: stock.waiting,
      suggested: toDemand(stock).shown.suggestion,
    }));
}
