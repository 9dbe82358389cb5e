import { eq, inArray, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { stockAlerts } from "@/db/schema/delivery";
import type { MailProps } from "@/emails/render";
import { productNameSql } from "@/lib/catalog/console/queries";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { type PassType, SELLABLE_KEY } from "@/lib/catalog/rules";
import { listStockOf } from "@/lib/delivery/console/queries";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { MerchantStockInput, MerchantStockList } from "./contract";
import { COUNTED_KEYS, DEFAULT_ALERT, isLow, RATE_DAYS, type StockAlert, suggestKeys } from "./rules";

/** The plans of the merchant's products with their codes. @throws ShopError cursor_invalid */
export async function listMerchantStock(
  { merchant }: MerchantViewer,
  input: MerchantStockInput,
  locale: Locale,
): Promise<MerchantStockList> {
  const page = await listStockOf(merchant.id, input, locale, COUNTED_KEYS);
  const alerts = await findAlerts(page.items.map(({ vip_id }) => vip_id));
  const items = page.items.map(({ vip_id, vip_type, vendor, vendor_slug, ...row }) => {
    const { available, sold_28_days: sold, waiting } = row;
    const stock = { available, sold, waiting };
    const alert = alerts.get(vip_id) ?? DEFAULT_ALERT;
    const isCounted = available < COUNTED_KEYS;
    return {
      ...row,
      plan_id: vip_id,
      plan_label: vip_type,
      suggested: isCounted ? suggestKeys(stock) : 0,
      alert,
      low: isCounted && isLow(alert, stock),
    };
  });
  return { ...page, items };
}

async function findAlerts(planIds: readonly number[]): Promise<Map<number, StockAlert>> {
  if (planIds.length === 0) return new Map();
  const rows = await db
    .select({ planId: stockAlerts.planId, kind: stockAlerts.kind, value: stockAlerts.value })
    .from(stockAlerts)
    .where(inArray(stockAlerts.planId, [...planIds]));
  return new Map(rows.map(({ planId, ...alert }) => [planId, alert]));
}

/** SQL: paid units of plan `x` in the time that makes the rate. */
const SOLD_UNITS_SQL = sql`(select coalesce(sum(s.units), 0)::int from plan_sales_daily s where s.plan_id = x.id
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

/** Plans that the first page looks at. */
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

type LowPlan = { name: string; type: PassType; days: number | null; available: number; sold: number };

/** The email about plans that run low, of those that are still short of codes. */
export async function findStockLowMail(
  merchantId: string,
  planIds: readonly number[],
  locale: Locale,
): Promise<MailProps["stock-low"] | null> {
  const rows = await db.execute<LowPlan>(sql`
    select coalesce(${productNameSql("p.id", locale)}, p.slug) as name, x.type, x.duration_days as days,
      (select count(*)::int from (select from keys k where k.plan_id = x.id and ${sql.raw(SELLABLE_KEY)}
        limit ${COUNTED_KEYS}) a) as available, ${SOLD_UNITS_SQL} as sold
    from plans x join products p on p.id = x.product_id join stock_alerts a on a.plan_id = x.id
    where p.merchant_id = ${merchantId} and x.id = any(${sql.param([...planIds])}::int[]) and a.notified_at is not null
    order by name, x.position`);
  const [merchant] = await db
    .select({ handle: merchants.handle })
    .from(merchants)
    .where(eq(merchants.id, merchantId));
  if (!merchant || rows.length === 0) return null;
  return {
    handle: merchant.handle,
    plans: rows.map(({ name, type, days, available, sold }) => ({
      name,
      label: passLabel({ pass_type: type, duration_days: days }, locale),
      available,
      days: sold > 0 ? Math.floor((available * RATE_DAYS) / sold) : null,
    })),
  };
}
