import { inArray } from "drizzle-orm";
import { db } from "@/db/client";
import { stockAlerts } from "@/db/schema/delivery";
import { listStockOf } from "@/lib/delivery/console/list-console-stock";
import { readDemand } from "@/lib/merchants/insight/read-demand";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { MerchantStockInput, MerchantStockList } from "./contract";
import { COUNTED_KEYS, DEFAULT_ALERT, isLow, type StockAlert } from "./rules";

/** The plans of the merchant's products with their codes. @throws ShopError cursor_invalid */
export async function listMerchantStock(
  { merchant }: MerchantViewer,
  input: MerchantStockInput,
  locale: Locale,
): Promise<MerchantStockList> {
  const page = await listStockOf(merchant.id, input, locale);
  const ids = page.items.map(({ vip_id }) => vip_id);
  const demand = await readDemand(ids);
  const alerts = await findAlerts(ids);
  const items = page.items.map(({ vip_id, vip_type, vendor, vendor_slug, ...row }) => {
    const { rate, shown } = demand.get(vip_id)!;
    const { available, waiting, cover, suggestion, history_days } = shown;
    const alert = alerts.get(vip_id) ?? DEFAULT_ALERT;
    return {
      ...row,
      plan_id: vip_id,
      plan_label: vip_type,
      available,
      waiting,
      days_of_cover: cover,
      suggested: suggestion,
      history_days,
      alert,
      low: available < COUNTED_KEYS && isLow(alert, { available, rate, waiting }),
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
