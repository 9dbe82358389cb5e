import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";

/**
 * SQL: the keys `k` of a batch that were withdrawn unsold within so many hours. Those that were replaced have an order line; the
 * last event of one that was withdrawn and put back on sale is another.
 */
export const undoableKeysSql = (batchId: string, hours: number) => sql`
  k.batch_id = ${batchId} and k.state = 'revoked' and k.order_line_id is null and (
    select e.event = 'revoked' and e.created_at > shop_now() - make_interval(hours => ${hours})
    from key_events e where e.key_id = k.id and e.event <> 'resealed' order by e.id desc limit 1)`;

/**
 * Puts withdrawn keys of a merchant's batch back on sale, at most `limit` of them; returns their plans, one a
 * key. Keys that the database records as sold, seen or replaced stay withdrawn
 * (db/functions/check_key_state.sql).
 */
export async function undoWithdrawal(
  tx: Tx,
  { batchId, hours, actor, limit }: { batchId: string; hours: number; actor: string; limit: number },
): Promise<number[]> {
  const rows = await tx.execute<{ planId: number }>(sql`
    with withdrawn as (
      select k.id from keys k where ${undoableKeysSql(batchId, hours)}
      order by k.plan_id, k.redeem_by nulls last, k.created_at, k.id limit ${limit} for update
    ), undone as (
      update keys set state = 'available' where id in (select id from withdrawn) and state = 'revoked' returning id, plan_id
    ), events as (insert into key_events (key_id, event, actor) select id, 'restocked', ${actor} from undone)
    select plan_id as "planId" from undone`);
  return rows.map(({ planId }) => planId);
}

/**
 * Withdraws available keys of a merchant's batch, at most `limit` of them; returns how many. It locks in the order
 * of `takeKeys` and waits, so that a key which an order holds is left to it, and one that is released meanwhile is not missed.
 */
export async function withdrawKeys(
  tx: Tx,
  { batchId, actor, limit }: { batchId: string; actor: string; limit: number },
): Promise<number> {
  const rows = await tx.execute(sql`
    with unsold as (
      select k.id from keys k where k.batch_id = ${batchId} and k.state = 'available'
      order by k.plan_id, k.redeem_by nulls last, k.created_at, k.id limit ${limit} for update
    ), withdrawn as (
      update keys set state = 'revoked' where id in (select id from unsold) and state = 'available' returning id
    ), events as (insert into key_events (key_id, event, actor) select id, 'revoked', ${actor} from withdrawn)
    select id from withdrawn`);
  return rows.length;
}

/**
 * Withdraws keys that an order has just let go of, where their batch was withdrawn while the order had them. Waits for a
 * withdrawal that runs, because it does not see them.
 */
export async function withdrawReturned(
  tx: Tx,
  keys: readonly { id: string; batchId: string | null }[],
): Promise<void> {
  const batchIds = [...new Set(keys.flatMap(({ batchId }) => batchId ?? []))];
  if (batchIds.length === 0) return;
  const batches = await tx.execute<{ withdrawn: boolean }>(sql`
    select withdrawn_at is not null as withdrawn from key_batches where id in ${batchIds} order by id for share`);
  if (!batches.some(({ withdrawn }) => withdrawn)) return;
  await tx.execute(sql`
    with withdrawn as (
      update keys k set state = 'revoked' from key_batches b
      where k.id in ${keys.map(({ id }) => id)} and k.state = 'available' and b.id = k.batch_id and k.created_at <= b.withdrawn_at
      returning k.id
    )
    insert into key_events (key_id, event, actor) select id, 'revoked', 'shop' from withdrawn`);
}
