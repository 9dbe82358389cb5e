import { eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import type { MailProps } from "@/emails/render";
import { productNameSql } from "@/lib/catalog/console/list-console-products";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import type { PassType } from "@/lib/catalog/rules";
import { toDemand } from "@/lib/merchants/insight/read-demand";
import type { Locale } from "@/lib/platform/i18n/locales";
import { STOCK_STATE, type StockState } from "./list-low-stock";

type LowPlan = StockState & { name: string; type: PassType; length: number | null };

/** The email about plans that run low, of those that are still short of codes. */
export async function findStockLowMail(
  merchantId: string,
  planIds: readonly number[],
  locale: Locale,
): Promise<MailProps["stock-low"] | null> {
  const rows = await db.execute<LowPlan>(sql`
    select coalesce(${productNameSql("p.id", locale)}, p.slug) as name, x.type, x.duration_days as length, ${sql.raw(STOCK_STATE)}
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
    plans: rows.map(({ name, type, length, ...stock }) => ({
      name,
      label: passLabel({ pass_type: type, duration_days: length }, locale),
      available: stock.available,
      days: toDemand(stock).shown.cover,
    })),
  };
}
