import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { KeyState } from "@/lib/delivery/rules";
import { type CustodyEvent, canonicalEvent, custodyState, SEALED_WITHIN_MINUTES } from "./rules";

/** SQL: the time of an event `e`, to the microsecond. */
export const EVENT_TIME_SQL = sql.raw(
  `to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
);

/** The hash that seals an event after the seal `previous`; the first event follows the key's id. */
export const sealHash = (keyId: string, position: number, previous: string, event: CustodyEvent): string =>
  createHash("sha256")
    .update(canonicalEvent(keyId, position, previous, event))
    .digest("hex");

export const CUSTODY_PROBLEMS = [
  "hash",
  "gap",
  "unsealed",
  "lost_event",
  "illegal_order",
  "state_differs",
] as const;
export type CustodyProblem = {
  keyId: string;
  /** null when the problem concerns the whole key */
  eventId: number | null;
  kind: (typeof CUSTODY_PROBLEMS)[number];
  /** One sentence, in English. */
  message: string;
};

export type CustodyReport = { keys: number; events: number; sealed: number; problems: number };

type Link = {
  id: string;
  position: number | null;
  hash: string | null;
  event: CustodyEvent["event"] | null;
  orderLineId: string | null;
  actor: string;
  at: string;
  /** older than the time in which an event must be sealed */
  due: boolean;
};
type Chain = { id: string; state: KeyState; links: Link[] };

const BATCH = 500;

/**
 * Verifies the custody of every key (docs/product.md#45-key) in batches and reports wrong hashes, gaps, events
 * without a seal for too long, seals without an event, impossible event orders, and states that do not match the
 * events.
 */
export async function verifyCustody(
  onProblem: (problem: CustodyProblem) => void,
  { minutes = SEALED_WITHIN_MINUTES }: { minutes?: number } = {},
): Promise<CustodyReport> {
  const report = { keys: 0, events: 0, sealed: 0, problems: 0 };
  for (let last = ""; ; ) {
    const chains = await readChains(last, minutes);
    for (const chain of chains) {
      report.keys += 1;
      report.events += chain.links.length;
      report.sealed += chain.links.filter(({ hash }) => hash !== null).length;
      for (const problem of [...brokenSeals(chain), ...brokenLife(chain)]) {
        report.problems += 1;
        onProblem(problem);
      }
    }
    if (chains.length < BATCH) return report;
    last = chains.at(-1)!.id;
  }
}

/** The next keys with their events and seals, in one statement for one snapshot. */
const readChains = (after: string, minutes: number): Promise<Chain[]> =>
  db.execute<Chain>(sql`
    select k.id, k.state, coalesce((
      select json_agg(json_build_object('id', coalesce(e.id, s.event_id)::text, 'position', s.position, 'hash', s.hash,
        'event', e.event, 'orderLineId', e.order_line_id, 'actor', e.actor, 'at', ${EVENT_TIME_SQL},
        'due', e.created_at < shop_now() - make_interval(mins => ${minutes})) order by coalesce(e.id, s.event_id))
      from (select * from key_events where key_id = k.id) e
      full join (select * from custody_seals where key_id = k.id) s on s.event_id = e.id), '[]') as links
    from (select id, state from keys where id > ${after} order by id limit ${BATCH}) k order by k.id`);

function* brokenSeals({ id: keyId, links }: Chain): Generator<CustodyProblem> {
  let previous = keyId;
  let position = 0;
  let open = false;
  for (const { id, hash, position: place, event, ...rest } of links) {
    const eventId = Number(id);
    const problem = (kind: CustodyProblem["kind"], message: string) => ({ keyId, eventId, kind, message });
    if (event === null) {
      yield problem("lost_event", `Seal ${place} belongs to an event that is gone.`);
      position = place ?? position;
      previous = hash ?? previous;
    } else if (hash === null) {
      open = true;
      if (rest.due) yield problem("unsealed", `The event ${event} is not sealed.`);
    } else {
      position += 1;
      if (open || place !== position) {
        yield problem("gap", `The seal of ${event} is number ${place} where number ${position} belongs.`);
        open = false;
      }
      const sealed = { ...rest, id: eventId, event };
      if (hash !== sealHash(keyId, place ?? position, previous, sealed))
        yield problem("hash", `The event ${event} is not what was sealed.`);
      previous = hash;
      position = place ?? position;
    }
  }
}

function* brokenLife({ id: keyId, state, links }: Chain): Generator<CustodyProblem> {
  const events = links.flatMap(({ id, event }) => (event === null ? [] : [{ id: Number(id), event }]));
  const life = custodyState(events);
  if (life.illegal) {
    const { id, event, after } = life.illegal;
    yield {
      keyId,
      eventId: id,
      kind: "illegal_order",
      message: `The event ${event} cannot follow ${after}.`,
    };
  } else if (life.state !== state)
    yield {
      keyId,
      eventId: null,
      kind: "state_differs",
      message: `The key is ${state}; its events lead to ${life.state}.`,
    };
}
