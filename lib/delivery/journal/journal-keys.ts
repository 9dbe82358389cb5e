import { access, constants, mkdir } from "node:fs/promises";
import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { CODE_OWNER_SQL } from "@/lib/delivery/library/key-state-sql";
import { type AppendLog, openAppendLog } from "@/lib/platform/append-log";
import { currentDryRun } from "@/lib/platform/dry-run-scope";
import { env } from "@/lib/platform/env";
import { instant } from "@/lib/platform/instant";
import { log } from "@/lib/platform/log";
import { journalPlace } from "./read-journal";
import type { JournalEntry } from "./rules";

// Next bundles this module more than once. The copies share the open file through globalThis.
const globals = globalThis as typeof globalThis & {
  passlaneJournal?: { place: string; journal: AppendLog };
};

/** The journal of this process, which keeps its file open. */
function assignmentJournal(): AppendLog | undefined {
  const place = journalPlace();
  if (!place) return undefined;
  const name = JSON.stringify(place);
  if (globals.passlaneJournal?.place !== name)
    globals.passlaneJournal = { place: name, journal: openAppendLog(place) };
  return globals.passlaneJournal.journal;
}

/**
 * Logs, at the start of a process, that production has no journal, or that its folder cannot be written. Neither ends the
 * start: orders are taken without it (docs/operations.md#the-journal-of-assignments).
 */
export async function reportJournal(): Promise<void> {
  const place = journalPlace();
  if (!place && env().APP_MODE === "production")
    log.warn({}, "no journal of assignments: after a restore all keys in stock wait for staff");
  if (!place || !("folder" in place)) return;
  try {
    await mkdir(place.folder, { recursive: true });
    await access(place.folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    log.error({ err: error }, "ASSIGNMENT_JOURNAL_DIR cannot be written: codes are held back");
  }
}

/** Those of an order, or these keys (of an owner, where a shopper names them); without either the oldest ones. */
export type Unjournaled = { orderId?: string; keyIds?: string[]; ownerId?: string };

const BATCH = 1000;

/**
 * Writes keys that were assigned to the journal outside of the database, before their codes are mailed or shown
 * (docs/operations.md#restore). Called after the commit of the assignment and outside of transactions. A key that was
 * written and is still listed here after a crash is written again, which changes nothing. Returns how many were written.
 * @throws Error when the journal cannot be written; the keys stay listed in `unjournaled_keys`
 */
export async function journalKeys(which: Unjournaled = {}): Promise<number> {
  if (currentDryRun() || which.keyIds?.length === 0) return 0;
  const entries = await listUnjournaled(which);
  if (entries.length === 0) return 0;
  await assignmentJournal()?.append(entries);
  // Only these assignments: a code that was returned unrevealed may have been assigned to another order meanwhile.
  await db.execute(sql`
    delete from unjournaled_keys u using jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e(key text, "order" text)
    where u.key_id = e.key and u.order_id = e."order"`);
  return entries.length;
}

async function listUnjournaled({ orderId, keyIds, ownerId }: Unjournaled): Promise<JournalEntry[]> {
  const conditions = [
    orderId !== undefined && sql`u.order_id = ${orderId}`,
    keyIds && sql`u.key_id in ${keyIds}`,
    ownerId !== undefined &&
      sql`exists (select from orders o where o.id = u.order_id and ${CODE_OWNER_SQL} = ${ownerId})`,
  ].filter((condition) => condition !== undefined && condition !== false);
  const condition = conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`;
  const rows = await db.execute<{ key: string; order: string; at: string }>(sql`
    select u.key_id as key, u.order_id as "order", coalesce(k.assigned_at, u.created_at) as at
    from unjournaled_keys u join keys k on k.id = u.key_id
    where ${condition} order by u.created_at, u.key_id limit ${BATCH}`);
  return rows.map(({ key, order, at }) => ({ key, order, at: instant(at) }));
}

/**
 * Writes what was assigned to the journal immediately. If that fails, the email and the codes page retry before they
 * show a code, as does a job every minute.
 */
export async function tryJournal(which: Unjournaled): Promise<void> {
  await journalKeys(which).catch((error: unknown) =>
    log.error({ err: error, ...which }, "the journal of assignments cannot be written: codes are held back"),
  );
}
