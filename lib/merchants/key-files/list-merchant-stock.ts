import { inArray } from "drizzle-orm";
import { db } from "@/db/client";
import { stockAlerts } from "@/db/schema/delivery";
import { listStockOf } from "@/lib/delivery/console/list-console-stock";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { MerchantStockInput, MerchantStockList } from "./contract";
import { COUNTED_KEYS, DEFAULT_ALERT, isLow, type StockAlert, suggestKeys } from "./rules";

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
