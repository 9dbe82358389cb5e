import { sql } from "drizzle-orm";
import type { OrderView } from "@/lib/orders/contract";
import { selectOrders } from "@/lib/orders/select-orders";
import { toOrderView } from "@/lib/orders/to-order-view";
import { foldOrderNumber } from "@/lib/platform/fold-text";
import type { Locale } from "@/lib/platform/i18n/locales";

/** Any order, by id or number, for staff; null for an unknown one. */
export async function findOrderForStaff(orderId: string, locale: Locale): Promise<OrderView | null> {
  const where = sql`o.id = coalesce((select id from orders where order_number = ${foldOrderNumber(orderId)}), ${orderId})`;
  const [row] = await selectOrders(locale, where, sql`limit 1`);
  return row ? toOrderView(row, locale) : null;
}
