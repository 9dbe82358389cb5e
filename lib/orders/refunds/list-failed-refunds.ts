import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { instant } from "@/lib/platform/instant";
import { capturedCentsSql } from "./refund-versions";

export type FailedRefund = {
  id: string;
  orderId: string;
  orderNumber: string;
  amountCents: number;
  email: string;
  failedAt: string;
};

/** SQL: all attempts of the failed refund `r` have failed, so that it must be paid by other means. */
export const GIVEN_UP_SQL = sql.raw(`exists (select from audit_entries a
  where a.action = 'refund_failed' and a.subject = r.order_id and a.detail->>'refundId' = r.id)`);

/**
 * Refunds whose last attempt failed, oldest first: they must be paid by other means, but not while the payment is
 * disputed, and not what a lost dispute has returned.
 */
export async function listFailedRefunds(): Promise<FailedRefund[]> {
  const rows = await db.execute<FailedRefund>(sql`
    select r.id, r.order_id as "orderId", o.order_number as "orderNumber", least(r.amount_cents, ${capturedCentsSql("r.order_id")}) as "amountCents", o.send_email as email, r.updated_at as "failedAt"
    from refunds r join orders o on o.id = r.order_id
    where r.state = 'failed' and ${GIVEN_UP_SQL} and ${capturedCentsSql("r.order_id")} > 0
      and not exists (select from disputes d where d.order_id = r.order_id and d.is_open) order by r.updated_at, r.id`);
  return rows.map((row) => ({ ...row, failedAt: instant(row.failedAt) }));
}
