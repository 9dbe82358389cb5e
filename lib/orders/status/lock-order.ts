import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { orders } from "@/db/schema/orders";
import { versionSql } from "@/lib/platform/console/query";
import type { Locale } from "@/lib/platform/i18n/locales";

type OrderColumns = Pick<
  typeof orders.$inferSelect,
  "id" | "userId" | "status" | "sendEmail" | "totalCents" | "couponId"
>;
/** `cancelRequested`: its buyer cancelled it, or tried to while a payment was running. */
export type LockedOrder = OrderColumns & { locale: Locale; holdExpired: boolean; cancelRequested: boolean };

/**
 * Locks an order until the transaction ends. Every change of an order starts here, so that each race has one winner.
 */
export async function lockOrder(tx: Tx, orderId: string, userId?: string): Promise<LockedOrder | null> {
  const [order] = await tx.execute<LockedOrder>(sql`
    select id, user_id as "userId", status, send_email as "sendEmail", locale, total_cents as "totalCents", coupon_id as "couponId",
      hold_ends_at <= shop_now() as "holdExpired", cancel_requested_at is not null as "cancelRequested"
    from orders where id = ${orderId} and user_id = coalesce(${userId ?? null}, user_id) for update`);
  return order ?? null;
}

/** SQL: the version of an order `o`: its state. What was ordered never changes. */
export const ORDER_VERSION = versionSql(sql`o.id, o.status, o.cancel_requested_at is not null`);
