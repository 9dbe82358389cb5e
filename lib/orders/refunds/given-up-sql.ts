import { sql } from "drizzle-orm";

/** SQL: all attempts of the failed refund `r` are over, so that it must be paid by other means. */
export const GIVEN_UP_SQL = sql.raw(`exists (select from audit_entries a
  where a.action = 'refund_failed' and a.subject = r.order_id and a.detail->>'refundId' = r.id)`);
