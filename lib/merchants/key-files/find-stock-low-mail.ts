import { eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import type { MailProps } from "@/emails/render";
import { productNameSql } from "@/lib/catalog/console/list-console-products";
import { passLabel } from "@/lib/catalog/pricing/rules-label";
import { type PassType, SELLABLE_KEY } from "@/lib/catalog/rules";
import type { Locale } from "@/lib/platform/i18n/locales";
import { SOLD_UNITS_SQL } from "./list-low-stock";
import { COUNTED_KEYS, RATE_DAYS } from "./rules";

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
