import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { requeueDroppedMails } from "@/lib/notifications/requeue-mails";
import { isOnHold } from "./is-on-hold";

const DISPUTES = sql`select d.order_id, d.created_at as since, coalesce(d.closed_at, shop_now()) as until from disputes d`;
const HOLDS = sql`${DISPUTES} union all
  select w.order_id, w.created_at, coalesce(w.decided_at, shop_now()) from fraud_warnings w`;

/** SQL: when the last of the times `holds` of an order began; times that overlap are one. */
const lastHoldSql = (orderId: string, holds: SQL) => sql`(
  select max(h.since) from (
    select t.since, max(t.until) over (order by t.since, t.until rows between unbounded preceding and 1 preceding) as before
    from (${holds}) t where t.order_id = ${orderId}) h
  where h.before is null or h.before < h.since)`;

/** SQL: for how long an order was disputed whose last open dispute ends now. */
export const disputedTimeSql = (orderId: string) => sql`(shop_now() - ${lastHoldSql(orderId, DISPUTES)})`;

/**
 * Once neither a dispute nor a fraud warning stops the delivery of a locked order: mails its unseen codes that were not mailed, and
 * gives an unclaimed gift the time back in which nobody could claim it.
 */
export async function resumeDelivery(tx: Tx, orderId: string): Promise<void> {
  if (await isOnHold(tx, orderId)) return;
  await tx.execute(sql`
    update gifts g set claim_until = g.claim_until + (shop_now() - ${lastHoldSql(orderId, HOLDS)})
    where g.order_id = ${orderId} and g.state = 'sent'`);
  await requeueDroppedMails(tx, "keys", orderId);
}
