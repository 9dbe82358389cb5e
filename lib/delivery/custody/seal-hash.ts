import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { type CustodyEvent, canonicalEvent } from "./rules";

/** SQL: the time of an event `e`, to the microsecond. */
export const EVENT_TIME_SQL = sql.raw(
  `to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
);

/** SQL: the origin of an event `e`, which only the import of a merchant's key has. */
export const EVENT_ORIGIN_SQL = sql.raw(
  `(select json_build_object('batchId', b.id, 'sha256', b.sha256, 'source', b.source, 'statement', b.statement)
    from keys i join key_batches b on b.id = i.batch_id where e.event = 'imported' and i.id = e.key_id)`,
);

/** The hash that seals an event; `previous` is the previous seal's hash, or the key's id for the first event. */
export const sealHash = (keyId: string, position: number, previous: string, event: CustodyEvent): string =>
  createHash("sha256")
    .update(canonicalEvent(keyId, position, previous, event))
    .digest("hex");
