import { eq, type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { keys } from "@/db/schema/delivery";
import type { CodeRedemption } from "@/lib/payments/refunds/rules";

/**
 * SQL: whether the code `k` may have been seen. The first attempt to mail it counts, because an interrupted attempt may
 * have arrived.
 */
export const codeVisibleSql = (
  orderId: string | SQL,
) => sql`(k.first_revealed_at is not null or k.mailed_at is not null or exists (
  select from order_lines fl cross join lateral (select id from keys where order_line_id = fl.id
    union all select key_id from returned_keys where order_line_id = fl.id) first_key
  join mails m on m.dedupe_key in ('keys:' || ${orderId}::text || ':' || first_key.id, 'keys-rest:' || ${orderId}::text || ':' || first_key.id)
  left join graphile_worker.jobs j on j.key = m.id
  where fl.order_id = ${orderId} and k.id = any(string_to_array(m.refs->>'keyIds', ','))
    and (m.state in ('sent', 'failed') or m.attempts > 0 or j.attempts > 0)))`;

/**
 * SQL: the key `k` serves its unit, or served it until it was replaced. Whether it was used depends on the history of
 * the unit, not on its last code: a replacement is unrevealed although the previous code was used.
 */
export const SERVED_UNIT_SQL = sql.raw("k.state in ('assigned', 'revoked')");

/** SQL: whether a code that serves or served the unit of `unit_key` may have been seen. */
export const unitSeenSql = (orderId: string | SQL) => sql`exists (
  select from keys k where k.order_line_id = unit_key.order_line_id and k.slot = unit_key.slot and ${SERVED_UNIT_SQL}
    and ${codeVisibleSql(orderId)})`;

/** SQL: the current code of each unit of a line `l`; `shown`: it, or one that it replaced, may have been seen. */
export const lineUnitsSql = (orderId: string | SQL) => sql`(
  select coalesce(json_agg(json_build_object('id', unit_key.id, 'shown', ${unitSeenSql(orderId)}) order by unit_key.slot), '[]')
  from keys unit_key where unit_key.order_line_id = l.id and unit_key.state = 'assigned')`;

/** The redemptions of all codes that serve or served the units of a line. Locks the line's codes. */
export async function lockLineCodes(
  tx: Tx,
  line: { id: string; orderId: string },
): Promise<CodeRedemption[]> {
  await tx
    .select({ id: keys.id })
    .from(keys)
    .where(eq(keys.orderLineId, line.id))
    .orderBy(keys.id)
    .for("update");
  return tx.execute<CodeRedemption>(sql`
    select k.redemption, ${codeVisibleSql(line.orderId)} as shown
    from keys k where k.order_line_id = ${line.id} and ${SERVED_UNIT_SQL}`);
}
