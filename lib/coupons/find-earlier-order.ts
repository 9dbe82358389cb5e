import { sql } from "drizzle-orm";
import type { Db } from "@/db/client";
import type { EarlierOrder } from "./rules-discount";

/** SQL: the order `o` was fully refunded without a delivery. */
export const FULLY_REFUNDED_UNDELIVERED = sql`(o.status = 'refunded' and o.shipped_at is null
  and not exists (select 1 from order_lines l where l.order_id = o.id
    and (exists (select from keys k where k.order_line_id = l.id and k.assigned_at is not null)
      or exists (select from returned_keys r where r.order_line_id = l.id))))`;

/**
 * SQL: the order `o` counts as the buyer's first: paid or payable, with an amount due or a first-order coupon that
 * reduced it to zero. Free passes and undelivered refunded orders do not count.
 */
export const COUNTS_AS_FIRST_ORDER = sql`((o.paid_at is not null or o.status in ('pending', 'processingPayment'))
  and (o.total_cents > 0
    or exists (select 1 from coupons f where f.id = o.coupon_id and f.first_order_only))
  and not ${FULLY_REFUNDED_UNDELIVERED})`;

/**
 * Whether the buyer has a paid order, else an unpaid one, beside the one that the coupon is for. Lock the buyer before a write that depends on it
 * (docs/decisions/0014-give-each-person-a-coupon-once.md).
 */
export async function findEarlierOrder(tx: Db, userId: string, exceptOrderId = ""): Promise<EarlierOrder> {
  const [order] = await tx.execute<{ paid: boolean }>(sql`
    select o.paid_at is not null as paid from orders o where o.user_id = ${userId} and o.id <> ${exceptOrderId} and ${COUNTS_AS_FIRST_ORDER}
    order by paid desc limit 1`);
  if (!order) return null;
  return order.paid ? "paid" : "unpaid";
}
