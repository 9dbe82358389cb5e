import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { EVENT_TIME_SQL, sealHash } from "./queries";
import type { CustodyEvent } from "./rules";

/** Keys of one transaction, which locks their rows and so must be short. */
const KEYS_AT_ONCE = 50;
/** Keys of one lookup, which is the expensive part. */
const KEYS_LISTED = 5000;
const RUN_MS = 120_000;
/** Events that the run of each minute looks back from the newest seal; the other run looks at all. */
const RECENT_EVENTS = 100_000;

type OpenEvent = Omit<CustodyEvent, "id"> & {
  id: string;
  keyId: string;
  /** The position of the key's newest seal. */
  endPosition: number;
  endHash: string;
};

/**
 * Seals custody events without a seal; each key is a chain of its own (docs/reliability.md#keys-at-rest). Keys locked
 * by a sale wait for the next run. Two parallel workers compute equal seals, and the second insert is dropped.
 * Returns the number of seals.
 */
export async function sealCustody({ all = false }: { all?: boolean } = {}): Promise<number> {
  const end = Date.now() + RUN_MS;
  let made = 0;
  for (let last = ""; ; ) {
    const keyIds = await keysToSeal(last, all);
    for (let from = 0; from < keyIds.length; from += KEYS_AT_ONCE) {
      if (Date.now() > end) return made;
      made += await transaction((tx) => sealKeys(tx, keyIds.slice(from, from + KEYS_AT_ONCE)));
    }
    if (keyIds.length < KEYS_LISTED) return made;
    last = keyIds.at(-1)!;
  }
}

async function keysToSeal(after: string, all: boolean): Promise<string[]> {
  const from = all ? sql`0` : sql`(select coalesce(max(event_id), 0) - ${RECENT_EVENTS} from custody_seals)`;
  const rows = await db.execute<{ key_id: string }>(sql`
    select distinct e.key_id from key_events e
    where e.id > ${from} and e.key_id > ${after} and not exists (select from custody_seals s where s.event_id = e.id)
    order by e.key_id limit ${KEYS_LISTED}`);
  return rows.map((row) => row.key_id);
}

/** Never waits for a key, because waiting while holding others could deadlock with a sale. */
async function sealKeys(tx: Tx, keyIds: string[]): Promise<number> {
  const held = await tx.execute<{ id: string }>(
    sql`select id from keys where id in ${keyIds} order by id for key share skip locked`,
  );
  const ids = held.map((row) => row.id);
  if (ids.length === 0) return 0;
  // One statement reads the end of the chain and the open events from one snapshot, so that parallel workers compute
  // equal seals.
  const open = await tx.execute<OpenEvent>(sql`
    select e.id::text, e.key_id as "keyId", e.event, e.order_line_id as "orderLineId", e.actor, ${EVENT_TIME_SQL} as at,
      coalesce(s.position, 0) as "endPosition", coalesce(s.hash, e.key_id) as "endHash"
    from key_events e left join lateral (
      select position, hash from custody_seals where key_id = e.key_id order by position desc limit 1) s on true
    where e.key_id in ${ids} and not exists (select from custody_seals s where s.event_id = e.id)
    order by e.key_id, e.id`);
  if (open.length === 0) return 0;
  const made = await tx.execute(sql`
    insert into custody_seals (event_id, key_id, position, hash)
    select event_id, key_id, position, hash
    from jsonb_to_recordset(${JSON.stringify(sealsOf(open))}::jsonb)
      as r(event_id bigint, key_id text, position int, hash text)
    order by key_id, position
    on conflict do nothing returning 1`);
  return made.length;
}

function sealsOf(open: OpenEvent[]) {
  const ends = new Map<string, { position: number; hash: string }>();
  return open.map(({ id, keyId, endPosition, endHash, ...event }) => {
    const end = ends.get(keyId) ?? { position: endPosition, hash: endHash };
    const position = end.position + 1;
    const hash = sealHash(keyId, position, end.hash, { ...event, id: Number(id) });
    ends.set(keyId, { position, hash });
    return { event_id: id, key_id: keyId, position, hash };
  });
}
