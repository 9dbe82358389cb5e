import { inArray, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { keys } from "@/db/schema/delivery";
import { readProgress, writeProgress } from "@/lib/platform/jobs/progress";
import type { CustodyEvent } from "./rules";
import { EVENT_ORIGIN_SQL, EVENT_TIME_SQL, sealHash } from "./seal-hash";

/** Keys per transaction: small, because their rows are locked. */
const KEYS_PER_TRANSACTION = 50;
/** Keys per lookup: large, because the lookup is expensive. */
const KEYS_PER_LOOKUP = 5000;
const RUN_MS = 120_000;
/** An event that is not visible yet may get an earlier number than a sealed one; no transaction takes this long. */
const LATE_COMMIT = sql.raw("interval '1 hour'");

type UnsealedEvent = Omit<CustodyEvent, "id"> & {
  id: string;
  keyId: string;
  /** The position of the key's newest seal; 0 without one. */
  lastPosition: number;
  lastHash: string;
};

/**
 * Seals custody events without a seal, after the place up to which all are sealed, or everywhere (`all`); each key is a
 * chain of its own (docs/reliability.md#keys-at-rest). Keys locked by a sale wait for the next run. Two parallel workers
 * compute equal seals, and the second insert is dropped. Returns the number of seals.
 */
export async function sealCustody({ all = false }: { all?: boolean } = {}): Promise<number> {
  const deadline = Date.now() + RUN_MS;
  const from = all ? 0 : Number((await readProgress("seal-custody")) ?? 0);
  let sealCount = 0;
  for (let last = ""; ; ) {
    const keyIds = await listKeysToSeal(last, from);
    for (let start = 0; start < keyIds.length; start += KEYS_PER_TRANSACTION) {
      if (Date.now() > deadline) return sealCount;
      sealCount += await transaction((tx) => sealKeys(tx, keyIds.slice(start, start + KEYS_PER_TRANSACTION)));
    }
    if (keyIds.length < KEYS_PER_LOOKUP) break;
    last = keyIds.at(-1)!;
  }
  await moveProgress(from);
  return sealCount;
}

/** Records up to which event all are sealed, so that the next run reads only those after it. */
async function moveProgress(from: number): Promise<void> {
  const [row] = await db.execute<{ place: string | null }>(sql`
    with unsealed as (
      select min(e.id) as id from key_events e
      where e.id > ${from} and not exists (select from custody_seals s where s.event_id = e.id))
    select max(e.id)::text as place from key_events e, unsealed
    where e.id > ${from} and e.created_at < shop_now() - ${LATE_COMMIT} and (unsealed.id is null or e.id < unsealed.id)`);
  if (row?.place && Number(row.place) > from) await writeProgress("seal-custody", row.place);
}

async function listKeysToSeal(after: string, from: number): Promise<string[]> {
  const rows = await db.execute<{ key_id: string }>(sql`
    select distinct e.key_id from key_events e
    where e.id > ${from} and e.key_id > ${after} and not exists (select from custody_seals s where s.event_id = e.id)
    order by e.key_id limit ${KEYS_PER_LOOKUP}`);
  return rows.map((row) => row.key_id);
}

/** Never waits for a key, because waiting while holding others could deadlock with a sale. */
async function sealKeys(tx: Tx, keyIds: string[]): Promise<number> {
  const locked = await tx
    .select({ id: keys.id })
    .from(keys)
    .where(inArray(keys.id, keyIds))
    .orderBy(keys.id)
    .for("key share", { skipLocked: true });
  const ids = locked.map((row) => row.id);
  if (ids.length === 0) return 0;
  // One statement reads the last seal and the unsealed events from one snapshot, so that parallel workers compute equal
  // seals.
  const unsealed = await tx.execute<UnsealedEvent>(sql`
    select e.id::text, e.key_id as "keyId", e.event, e.order_line_id as "orderLineId", e.actor, ${EVENT_TIME_SQL} as at, ${EVENT_ORIGIN_SQL} as origin,
      coalesce(s.position, 0) as "lastPosition", coalesce(s.hash, e.key_id) as "lastHash"
    from key_events e left join lateral (
      select position, hash from custody_seals where key_id = e.key_id order by position desc limit 1) s on true
    where e.key_id in ${ids} and not exists (select from custody_seals s where s.event_id = e.id)
    order by e.key_id, e.id`);
  if (unsealed.length === 0) return 0;
  const inserted = await tx.execute(sql`
    insert into custody_seals (event_id, key_id, position, hash)
    select event_id, key_id, position, hash
    from jsonb_to_recordset(${JSON.stringify(computeSeals(unsealed))}::jsonb)
      as r(event_id bigint, key_id text, position int, hash text)
    order by key_id, position
    on conflict do nothing returning 1`);
  return inserted.length;
}

function computeSeals(unsealed: UnsealedEvent[]) {
  const lastSeals = new Map<string, { position: number; hash: string }>();
  return unsealed.map(({ id, keyId, lastPosition, lastHash, ...event }) => {
    const lastSeal = lastSeals.get(keyId) ?? { position: lastPosition, hash: lastHash };
    const position = lastSeal.position + 1;
    const hash = sealHash(keyId, position, lastSeal.hash, { ...event, id: Number(id) });
    lastSeals.set(keyId, { position, hash });
    return { event_id: id, key_id: keyId, position, hash };
  });
}
