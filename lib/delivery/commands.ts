import { and, eq, inArray, type SQL, sql } from "drizzle-orm";
import type postgres from "postgres";
import { statements, type Tx } from "@/db/client";
import { sessions } from "@/db/schema/accounts";
import { keys } from "@/db/schema/delivery";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import {
  CODE_OWNER_SQL,
  CODE_SEEN_SQL,
  frozenLineSql,
  GIFT_UNTIL_SQL,
  NEEDS_CONSENT_SQL,
} from "@/lib/delivery/library/queries";
import type { UserViewer } from "@/lib/platform/auth/session";
import { type Sealed, unseal } from "@/lib/platform/crypto/vault";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import type { RevealedKey } from "./contract";
import { hasJournal } from "./journal/queries";
import { createConsent, encodeRevealActor, GIFT_REDEEM_DAYS, type KeyEvent } from "./rules";

export type RequestedUnits = { lineId: string; planId: number; quantity: number };

/** `skip` skips locked rows; `wait` waits for them, so that a shortage is certain. */
export type LockMode = "skip" | "wait";

/** Lock timeout of the mode `wait`, in milliseconds. */
const WAIT_MS = 5000;

/** SQL: `keys k` can be sold to an order line, which may be a gift. */
const sellableTo = (query: postgres.ISql, lineId: string) => query`
  ${query.unsafe(SELLABLE_KEY)} and (k.sell_by is null
    or k.sell_by > coalesce((${query.unsafe(GIFT_UNTIL_SQL)} ${lineId}), '-infinity'))`;

/**
 * Reserves available keys for units of an order line; returns their ids. The row lock decides, never a displayed count.
 * Takes the keys with the earliest `redeem_by` first, then the oldest; for a gift, those that last until its recipient can redeem
 * them. Both modes lock in this order, so that two waiting
 * buyers cannot deadlock.
 */
async function takeKeys(tx: Tx, unit: RequestedUnits, mode: LockMode): Promise<string[]> {
  if (unit.quantity === 0) return [];
  const query = statements(tx);
  const lock = mode === "skip" ? query`for update skip locked` : query`for update`;
  // The limit is inlined, because Postgres replans the statement each time when it is a parameter
  // (docs/performance.md#prepared-statements).
  const limit = query.unsafe(String(Math.trunc(unit.quantity)));
  const rows = await statements(tx)<{ id: string }[]>`
    with available as (
      select k.id, k.redeem_by, k.created_at from keys k where k.plan_id = ${unit.planId} and ${sellableTo(query, unit.lineId)}
      order by k.redeem_by nulls last, k.created_at, k.id limit ${limit} ${lock}
    ), open_slots as (
      select slot, row_number() over (order by slot) as n
      from order_lines l cross join lateral generate_series(1, l.quantity) as slot
      where l.id = ${unit.lineId} and slot not in (
        select k.slot from keys k where k.order_line_id = l.id and k.state in ('reserved', 'assigned'))
    ), numbered as (select id, row_number() over (order by redeem_by nulls last, created_at, id) as n from available
    ), reserved as (
      update keys set state = 'reserved', order_line_id = ${unit.lineId}, slot = open_slots.slot, reserved_at = shop_now()
      from numbered join open_slots using (n) where keys.id = numbered.id
      returning keys.id
    ), events as (
      insert into key_events (key_id, event, order_line_id, actor) select id, 'reserved', ${unit.lineId}, 'shop' from reserved)
    select id from reserved`;
  return rows.map((row) => row.id);
}

/**
 * Reserves keys for all lines, ordered by plan; returns the missing units of lines that are short. The caller rolls
 * back on a shortage and, after `skip`, retries with `wait`, because skipped rows may be released
 * (docs/reliability.md#stock-and-keys: SKIP LOCKED alone reports "sold out" falsely).
 */
export async function reserveKeys(
  tx: Tx,
  requested: RequestedUnits[],
  mode: LockMode,
): Promise<RequestedUnits[]> {
  if (mode === "wait")
    await tx.execute(
      sql`select set_config('lock_timeout', ${`${WAIT_MS}`}, true), set_config('statement_timeout', ${`${2 * WAIT_MS}`}, true)`,
    );
  const missing: RequestedUnits[] = [];
  for (const unit of [...requested].sort((a, b) => a.planId - b.planId)) {
    const keyIds = mode === "skip" ? await takeKeys(tx, unit, "skip") : await takeUntilSoldOut(tx, unit);
    const quantity = unit.quantity - keyIds.length;
    if (quantity > 0) missing.push({ ...unit, quantity });
  }
  return missing;
}

/**
 * Retries until no sellable key is left, because a statement does not see rows that are released after it began.
 * @throws ShopError unavailable when concurrent orders take the available keys until the timeout
 */
async function takeUntilSoldOut(tx: Tx, unit: RequestedUnits): Promise<string[]> {
  const deadline = Date.now() + WAIT_MS;
  const keyIds: string[] = [];
  for (;;) {
    keyIds.push(...(await takeKeys(tx, { ...unit, quantity: unit.quantity - keyIds.length }, "wait")));
    if (keyIds.length === unit.quantity) return keyIds;
    const query = statements(tx);
    const available = await query`
      select 1 from keys k where k.plan_id = ${unit.planId} and ${sellableTo(query, unit.lineId)} limit 1`;
    if (available.length === 0) return keyIds;
    if (Date.now() > deadline) throw new ShopError("unavailable");
  }
}

/**
 * SQL: the keys `k` of a batch that were withdrawn unsold within so many hours. Those that were replaced have an order line; the
 * last event of one that was withdrawn and put back on sale is another.
 */
export const undoableKeysSql = (batchId: string, hours: number) => sql`
  k.batch_id = ${batchId} and k.state = 'revoked' and k.order_line_id is null and (
    select e.event = 'revoked' and e.created_at > shop_now() - make_interval(hours => ${hours})
    from key_events e where e.key_id = k.id and e.event <> 'resealed' order by e.id desc limit 1)`;

/**
 * Puts withdrawn keys of a merchant's batch back on sale, at most `limit` of them; returns their plans, one a key. What the
 * database knows as sold, seen or replaced stays as it is (db/functions/check_key_state.sql).
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
 * Assigns the reserved keys of paid lines: `reserved → assigned`. Returns them with their lines. They stand in
 * `unjournaled_keys` until `journalKeys` has written them to the journal.
 */
export async function assignReservedKeys(
  tx: Tx,
  lineIds: string[],
): Promise<{ id: string; lineId: string }[]> {
  if (lineIds.length === 0) return [];
  return statements(tx)<{ id: string; lineId: string }[]>`
    with assigned as (
      update keys set state = 'assigned', assigned_at = shop_now()
      where order_line_id = any(${lineIds}::text[]) and state = 'reserved' returning id, order_line_id
    ), unjournaled as (
      insert into unjournaled_keys (key_id, order_id)
      select a.id, l.order_id from assigned a join order_lines l on l.id = a.order_line_id where ${hasJournal()}::boolean
    ), events as (
      insert into key_events (key_id, event, order_line_id, actor) select id, 'assigned', order_line_id, 'shop' from assigned)
    select id, order_line_id as "lineId" from assigned`;
}

/** Returns the reserved, never revealed keys of unpaid lines to stock. */
export async function releaseReservedKeys(tx: Tx, lineIds: string[]): Promise<void> {
  if (lineIds.length > 0) await releaseKeys(tx, sql`order_line_id in ${lineIds}`);
}

async function releaseKeys(tx: Tx, condition: SQL): Promise<void> {
  await tx.execute(sql`
    with released as (select id, order_line_id from keys where ${condition} and state = 'reserved' for update),
    events as (insert into key_events (key_id, event, order_line_id, actor) select id, 'released', order_line_id, 'shop' from released)
    update keys set state = 'available', order_line_id = null, slot = null, reserved_at = null
    where id in (select id from released)`);
}

/**
 * Swaps the reserved keys of an unpaid gift that would not last until its recipient can redeem them. Returns the last day on
 * which the gift could be delivered when too few keys last; nothing may be kept of the transaction then.
 */
export async function fitKeysToGift(tx: Tx, orderId: string): Promise<string | null> {
  const lines = await tx.execute<RequestedUnits & { unfit: string[] }>(sql`
    select l.id as "lineId", l.plan_id as "planId", count(k.id)::int as quantity, json_agg(k.id) as unfit
    from order_lines l join keys k on k.order_line_id = l.id and k.state = 'reserved'
    where l.order_id = ${orderId} and k.sell_by <= (${sql.raw(GIFT_UNTIL_SQL)} l.id) group by l.id order by l.plan_id`);
  if (lines.length === 0) return null;
  await releaseKeys(tx, sql`id in ${lines.flatMap(({ unfit }) => unfit)}`);
  const short = await reserveKeys(tx, [...lines], "wait");
  return short.length > 0 ? findLastGiftDay(tx, orderId) : null;
}

/** The last day on which a gift could be delivered with the keys of its order and, of an unpaid one, those in stock. */
export async function findLastGiftDay(tx: Tx, orderId: string): Promise<string | null> {
  const [row] = await tx.execute<{ lastDay: string | null }>(sql`
    select (min((last.sell_by - interval '1 microsecond') at time zone 'UTC'))::date - ${GIFT_REDEEM_DAYS}::int as "lastDay"
    from order_lines l cross join lateral (
      select k.sell_by from keys k where k.order_line_id = l.id and k.state in ('reserved', 'assigned')
        or l.state = 'reserved' and k.plan_id = l.plan_id and ${sql.raw(SELLABLE_KEY)}
      order by k.sell_by desc nulls first offset l.quantity - 1 limit 1) last
    where l.order_id = ${orderId}`);
  return row?.lastDay ?? null;
}

/** Who gives units back, as it is counted: null is unknown (docs/product.md#83-delivery). */
export type Returner = {
  identity: string;
  cardFingerprint: string | null;
  addressGroup: string | null;
};

/**
 * Puts assigned keys whose codes nobody can have seen on sale again: they leave their lines, and `returned_keys` tells of them.
 * The database refuses a key that was seen (db/functions/check_key_state.sql).
 */
export async function restockKeys(
  tx: Tx,
  keyIds: string[],
  { identity, cardFingerprint, addressGroup }: Returner,
  actor: string,
): Promise<void> {
  if (keyIds.length === 0) return;
  await tx.execute(sql`
    with returned as (
      select id, order_line_id, slot, assigned_at from keys where id in ${keyIds} and state = 'assigned' for update
    ), restocked as (
      update keys set state = 'available', order_line_id = null, slot = null, reserved_at = null, assigned_at = null, reminded_at = null
      where id in (select id from returned)
    ), unjournaled as (delete from unjournaled_keys where key_id in (select id from returned)
    ), records as (
      insert into returned_keys (key_id, order_line_id, slot, assigned_at, identity, card_fingerprint, address_group)
      select id, order_line_id, slot, assigned_at, ${identity}, ${cardFingerprint}, ${addressGroup} from returned)
    insert into key_events (key_id, event, order_line_id, actor)
    select id, 'restocked', order_line_id, ${actor} from returned order by id`);
}

/** All units of a line, or those of these keys. */
export type ReturnedUnits = { lineId: string } | { keyIds: string[] };

/** Quarantines assigned keys of refunded units: a key that may have been seen never sells again. */
export async function quarantineKeys(tx: Tx, which: ReturnedUnits, actor: string) {
  const isRefunded = "lineId" in which ? eq(keys.orderLineId, which.lineId) : inArray(keys.id, which.keyIds);
  const rows = await tx
    .update(keys)
    .set({ state: "quarantined" })
    .where(and(isRefunded, eq(keys.state, "assigned")))
    .returning({ id: keys.id });
  const keyIds = rows.map((row) => row.id);
  await recordKeyEvents(tx, keyIds, "quarantined", actor);
}

/** Gives quarantined keys back to their units, because the refund that locked them has failed. */
export async function unlockKeys(tx: Tx, keyIds: string[], actor: string): Promise<void> {
  const rows = await tx
    .update(keys)
    .set({ state: "assigned" })
    .where(and(inArray(keys.id, keyIds), eq(keys.state, "quarantined")))
    .returning({ id: keys.id });
  const unlockedIds = rows.map((row) => row.id);
  await recordKeyEvents(tx, unlockedIds, "unlocked", actor);
}

/** Marks keys as mailed, with a custody event. */
export async function markKeysMailed(tx: Tx, keyIds: string[]): Promise<void> {
  if (keyIds.length === 0) return;
  await statements(tx)`
    with mailed as (
      update keys set mailed_at = coalesce(mailed_at, shop_now()) where id = any(${keyIds}::text[])
      returning id, order_line_id)
    insert into key_events (key_id, event, order_line_id, actor)
    select id, 'mailed', order_line_id, 'shop' from mailed order by id`;
}

/** Appends custody events of keys. `actor` is `shop` or a user's id. */
export async function recordKeyEvents(tx: Tx, keyIds: string[], event: KeyEvent, actor: string) {
  if (keyIds.length === 0) return;
  await tx.execute(sql`
    insert into key_events (key_id, event, order_line_id, actor)
    select id, ${event}, order_line_id, ${actor} from keys where id in ${keyIds}`);
}

type LockedKey = {
  id: string;
  orderId: string;
  /** the account that owns the code */
  ownerId: string;
  frozen: boolean;
  now: string;
  assignedAt: string;
  activatedAt: string | null;
  /** shown or mailed */
  seen: boolean;
  /** lies unseen by choice */
  needsConsent: boolean;
  /** does not stand in the journal yet */
  unjournaled: boolean;
};

/**
 * Locks one of the viewer's keys for a change.
 * @throws ShopError key_unknown (also for another user's key); key_frozen during a refund request or dispute, and after a
 * refund
 */
export const lockViewerKey = (tx: Tx, viewer: UserViewer, keyId: string): Promise<LockedKey> =>
  lockKey(tx, keyId, sql`${CODE_OWNER_SQL} = ${viewer.userId}`);

/**
 * Locks a key of an order for a change by staff.
 * @throws ShopError as `lockViewerKey`; key_unknown also for a gift that waits for its recipient, because nobody owns its codes
 */
export const lockOrderKey = (tx: Tx, orderId: string, keyId: string): Promise<LockedKey> =>
  lockKey(tx, keyId, sql`l.order_id = ${orderId} and ${CODE_OWNER_SQL} <> ''`);

/** Locks the row first and reads it in a second statement, so that a concurrent refund request is seen. */
async function lockKey(tx: Tx, keyId: string, condition: SQL): Promise<LockedKey> {
  await tx.select({ id: keys.id }).from(keys).where(eq(keys.id, keyId)).for("update");
  const [row] = await tx.execute<LockedKey>(sql`
    select k.id, l.order_id as "orderId", ${CODE_OWNER_SQL} as "ownerId", k.state = 'quarantined' or ${frozenLineSql("l")} as frozen, shop_now() as now,
      k.assigned_at as "assignedAt", k.activated_at as "activatedAt", ${CODE_SEEN_SQL} as seen,
      ${NEEDS_CONSENT_SQL} as "needsConsent", exists (select from unjournaled_keys u where u.key_id = k.id) as unjournaled
    from keys k join order_lines l on l.id = k.order_line_id join orders o on o.id = l.order_id
    where k.id = ${keyId} and ${condition} and k.state in ('assigned', 'quarantined')`);
  if (!row) throw new ShopError("key_unknown");
  if (row.frozen) throw new ShopError("key_frozen");
  return row;
}

async function findRevealActor(tx: Tx, { userId, sessionId }: UserViewer): Promise<string> {
  const [session] = await tx
    .select({ device: sessions.device })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId)));
  return encodeRevealActor(userId, session?.device);
}

/** A reveal that is recorded. Its code is decrypted once that is committed (`openReveal`). */
export type RecordedReveal = Sealed & { id: string; revealedAt: Date };

/** Decrypts the code of a recorded reveal. Only this function and `openKeysForEmail` decrypt codes to be read. */
export const openReveal = ({ id, revealedAt, ...sealed }: RecordedReveal): RevealedKey => ({
  library_id: id,
  code: unseal(id, sealed),
  revealed_at: revealedAt.toISOString(),
});

/**
 * Records that a code is shown to its owner; with it the consent, when the code lay unseen by choice. `locale`: the language in
 * which the consent was asked.
 * @throws ShopError key_unknown, key_frozen, code_held_back before the key stands in the journal
 */
export async function recordReveal(
  tx: Tx,
  viewer: UserViewer,
  keyId: string,
  locale: Locale,
): Promise<RecordedReveal> {
  const { id, needsConsent, unjournaled } = await lockViewerKey(tx, viewer, keyId);
  if (unjournaled) throw new ShopError("code_held_back");
  const [row] = await tx
    .update(keys)
    .set({
      firstRevealedAt: sql`coalesce(${keys.firstRevealedAt}, shop_now())`,
      openedAt: sql`coalesce(${keys.openedAt}, shop_now())`,
      ...(needsConsent && { consent: createConsent("revealed", locale) }),
    })
    .where(eq(keys.id, id))
    .returning();
  await recordKeyEvents(tx, [id], "revealed", await findRevealActor(tx, viewer));
  const { sealed, vaultKeyId, firstRevealedAt } = row!;
  return { id, sealed, vaultKeyId, revealedAt: firstRevealedAt! };
}
