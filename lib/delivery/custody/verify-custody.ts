import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { KeyState } from "@/lib/delivery/rules";
import { type CustodyEvent, custodyState, SEALED_WITHIN_MINUTES } from "./rules";
import { EVENT_ORIGIN_SQL, EVENT_TIME_SQL, sealHash } from "./seal-hash";

type CustodyProblemKind = "hash" | "gap" | "unsealed" | "lost_event" | "illegal_order" | "state_differs";

export type CustodyProblem = {
  keyId: string;
  /** null when the problem concerns the whole key */
  eventId: number | null;
  kind: CustodyProblemKind;
  /** One sentence, in English. */
  message: string;
};

export type CustodyReport = { keys: number; events: number; sealed: number; problems: number };

type ChainEvent = {
  id: string;
  position: number | null;
  hash: string | null;
  event: CustodyEvent["event"] | null;
  orderLineId: string | null;
  actor: string;
  at: string;
  origin: CustodyEvent["origin"];
  /** older than the deadline for sealing */
  overdue: boolean;
};
type Chain = { id: string; state: KeyState; events: ChainEvent[] };

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
  for (let lastId = ""; ; ) {
    const chains = await readChains(lastId, minutes);
    for (const chain of chains) {
      report.keys += 1;
      report.events += chain.events.length;
      report.sealed += chain.events.filter(({ hash }) => hash !== null).length;
      for (const problem of [...findSealProblems(chain), ...findStateProblems(chain)]) {
        report.problems += 1;
        onProblem(problem);
      }
    }
    if (chains.length < BATCH) return report;
    lastId = chains.at(-1)!.id;
  }
}

/** The next keys with their events and seals, in one statement for one snapshot. */
const readChains = (afterId: string, minutes: number): Promise<Chain[]> =>
  db.execute<Chain>(sql`
    select k.id, k.state, coalesce((
      select json_agg(json_build_object('id', coalesce(e.id, s.event_id)::text, 'position', s.position, 'hash', s.hash,
        'event', e.event, 'orderLineId', e.order_line_id, 'actor', e.actor, 'at', ${EVENT_TIME_SQL},
        'origin', ${EVENT_ORIGIN_SQL},
        'overdue', e.created_at < shop_now() - make_interval(mins => ${minutes})) order by coalesce(e.id, s.event_id))
      from (select * from key_events where key_id = k.id) e
      full join (select * from custody_seals where key_id = k.id) s on s.event_id = e.id), '[]') as events
    from (select id, state from keys where id > ${afterId} order by id limit ${BATCH}) k order by k.id`);

function* findSealProblems({ id: keyId, events }: Chain): Generator<CustodyProblem> {
  let previous = keyId;
  let position = 0;
  let followsUnsealed = false;
  for (const { id, hash, position: sealPosition, event, ...rest } of events) {
    const eventId = Number(id);
    const problem = (kind: CustodyProblemKind, message: string) => ({ keyId, eventId, kind, message });
    if (event === null) {
      yield problem("lost_event", `Seal ${sealPosition} belongs to an event that is gone.`);
      position = sealPosition ?? position;
      previous = hash ?? previous;
    } else if (hash === null) {
      followsUnsealed = true;
      if (rest.overdue) yield problem("unsealed", `The event ${event} is not sealed.`);
    } else {
      position += 1;
      if (followsUnsealed || sealPosition !== position) {
        yield problem(
          "gap",
          `The seal of ${event} is number ${sealPosition} where number ${position} belongs.`,
        );
        followsUnsealed = false;
      }
      const sealed = { ...rest, id: eventId, event };
      if (hash !== sealHash(keyId, sealPosition ?? position, previous, sealed))
        yield problem("hash", `The event ${event} differs from the sealed one.`);
      previous = hash;
      position = sealPosition ?? position;
    }
  }
}

function* findStateProblems({ id: keyId, state, events }: Chain): Generator<CustodyProblem> {
  const actualEvents = events.flatMap(({ id, event }) => (event === null ? [] : [{ id: Number(id), event }]));
  const { state: expected, illegal } = custodyState(actualEvents);
  if (illegal) {
    const message = `The event ${illegal.event} cannot follow ${illegal.after}.`;
    yield { keyId, eventId: illegal.id, kind: "illegal_order", message };
  } else if (expected !== state) {
    const message = `The key is ${state}; its events lead to ${expected}.`;
    yield { keyId, eventId: null, kind: "state_differs", message };
  }
}
