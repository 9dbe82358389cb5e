import { sql } from "drizzle-orm";
import type postgres from "postgres";
import { statements, type Tx } from "@/db/client";
import { SELLABLE_KEY } from "@/lib/catalog/rules";
import { GIFT_UNTIL_SQL } from "@/lib/delivery/library/key-state-sql";
import { ShopError } from "@/lib/platform/errors";

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
