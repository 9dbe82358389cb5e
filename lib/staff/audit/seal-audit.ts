import { createHash } from "node:crypto";
import { appendFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { sql } from "drizzle-orm";
import { db, type Tx, transaction } from "@/db/client";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { env } from "@/lib/platform/env";
import { readProgress, writeProgress } from "@/lib/platform/jobs/progress";
import { log } from "@/lib/platform/log";
import { CHAIN_START, canonicalEntry, type SealedEntry } from "./rules";

/** The newest seal of a run, as it is copied off the database. */
export type ChainHead = { entry_id: number; position: number; hash: string };

/** SQL: the fields of an entry `e` that a seal contains. */
export const ENTRY_FIELDS_SQL =
  sql.raw(`e.id::text as id, e.actor, e.action, e.subject, e.detail::text as detail,
      to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at`);

export const sealHash = (previous: string, position: number, entry: SealedEntry): string =>
  createHash("sha256")
    .update(canonicalEntry(previous, position, entry))
    .digest("hex");

const BATCH = 2_000;
/** An entry that is not visible yet may get an earlier number than a sealed one; no transaction takes this long. */
const LATE_COMMIT = sql.raw("interval '1 hour'");

/**
 * Seals the entries of finished transactions (docs/reliability.md#audit-log), in the order of their transactions, after the
 * place up to which all are sealed or everywhere (`all`): an entry is sealed when its transaction is older than every running
 * one, so that no later commit falls behind a seal. Then copies the newest seal off the database. Returns the number of seals.
 */
export async function sealAudit({ all = false }: { all?: boolean } = {}): Promise<number> {
  let count = 0;
  let head: ChainHead | undefined;
  const from = all ? 0 : Number((await readProgress("seal-audit")) ?? 0);
  for (;;) {
    const sealed = await transaction((tx) => sealBatch(tx, from));
    count += sealed.length;
    head = sealed.at(-1) ?? head;
    if (sealed.length < BATCH) break;
  }
  if (head) await copyHead(head);
  await moveProgress(from);
  return count;
}

/** Notes up to which entry all are sealed, so that the next run reads only those after it. */
async function moveProgress(from: number): Promise<void> {
  const [row] = await db.execute<{ place: string | null }>(sql`
    with unsealed as (
      select min(e.id) as id from audit_entries e
      where e.id > ${from} and not exists (select from audit_seals s where s.entry_id = e.id))
    select max(e.id)::text as place from audit_entries e, unsealed
    where e.id > ${from} and e.created_at < shop_now() - ${LATE_COMMIT} and (unsealed.id is null or e.id < unsealed.id)`);
  if (row?.place && Number(row.place) > from) await writeProgress("seal-audit", row.place);
}

type LastSeal = { position: string; hash: string };
type EntryRow = Omit<SealedEntry, "id"> & { id: string };

async function sealBatch(tx: Tx, from: number): Promise<ChainHead[]> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.auditChain})`);
  const [last] = await tx.execute<LastSeal>(
    sql`select s.position::text as position, s.hash from audit_seals s order by s.position desc limit 1`,
  );
  // An entry at or above the snapshot's end was written by another cluster, from which this one was restored.
  const entries = await tx.execute<EntryRow>(sql`
    select ${ENTRY_FIELDS_SQL} from audit_entries e
    where e.id > ${from} and not exists (select from audit_seals s where s.entry_id = e.id)
      and (e.xact < pg_snapshot_xmin(pg_current_snapshot()) or e.xact >= pg_snapshot_xmax(pg_current_snapshot()))
    order by e.xact, e.id limit ${BATCH}`);
  let previous = last?.hash ?? CHAIN_START;
  const start = Number(last?.position ?? 0);
  const seals = entries.map((entry, i) => {
    const position = start + i + 1;
    previous = sealHash(previous, position, { ...entry, id: Number(entry.id) });
    return { entry_id: Number(entry.id), position, hash: previous };
  });
  if (seals.length > 0)
    await tx.execute(sql`
      insert into audit_seals (entry_id, position, hash)
      select entry_id, position, hash from jsonb_to_recordset(${JSON.stringify(seals)}::jsonb)
        as r(entry_id bigint, position bigint, hash text) order by position`);
  return seals;
}

/** Appends the newest seal to the file of heads. A failure is logged: the next head contains this one. */
async function copyHead(head: ChainHead): Promise<void> {
  const file = env().AUDIT_HEADS_FILE;
  if (!file) return;
  try {
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, `${JSON.stringify({ ...head, at: new Date().toISOString() })}\n`);
  } catch (error) {
    log.error({ err: error, file }, "the head of the audit chain could not be copied");
  }
}
