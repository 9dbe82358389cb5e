import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";
import { ownConnection } from "@/db/client";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";

/**
 * So many documents, so far from their places (a share of all), are worth laying out; fewer lie in a few pages. And so
 * long an import, or somebody who reads, is waited for.
 */
const WORTH = { documents: 5_000, displaced: 0.03, patienceMs: 180_000 };

/**
 * Lays the search's documents out in the order of what is wanted where they lie far from it, and says whether it did: a
 * search among a million takes two thirds of the time then (docs/decisions/0062). Half a minute for 100,000 products, in
 * which searches go on and imports wait. Where others hold them for minutes, it is left for another time.
 */
export const layOutDocuments = (worth: Partial<typeof WORTH> = {}): Promise<boolean> =>
  ownConnection(async (sql) => {
    const { documents, displaced, patienceMs } = { ...WORTH, ...worth };
    await sql`select set_config('statement_timeout', '0', false), set_config('lock_timeout', '1s', false)`;
    // Until the connection ends: nobody else writes documents, or lays them out.
    const [pid] = (await tried(patienceMs, () => lock(sql))) ?? [];
    if (!pid || !(await dropCopy(sql))) return false;
    const [row] = await sql<{ worth: boolean }[]>`
      select count(*) >= ${documents} and documents_displaced() > ${displaced} as worth from product_documents`;
    if (!row?.worth) return false;
    const copy = await copied(sql, pid);
    const swapped = await tried(patienceMs, async () => (await isSeenByAll(sql, copy)) && swap(sql, pid));
    if (!swapped) await dropCopy(sql);
    return swapped ?? false;
  });

/** The connection's process, or false while an import goes on. */
async function lock(sql: postgres.Sql): Promise<[number] | false> {
  const [row] = await sql<{ pid: number; locked: boolean }[]>`
    select pg_backend_pid() as pid, pg_try_advisory_lock(${ADVISORY_LOCKS.catalogImport}) as locked`;
  return row!.locked && [row!.pid];
}

type Copy = { transaction: string; at: Date };

async function copied(sql: postgres.Sql, pid: number): Promise<Copy> {
  const [made] = await sql<{ transaction: string }[]>`
    select pg_current_xact_id()::xid as transaction, copy_documents() where pg_backend_pid() = ${pid}`;
  const [now] = await sql<{ at: Date }[]>`select clock_timestamp() as at`;
  if (!made) throw new Error("The connection that held the lock is lost.");
  return { transaction: made.transaction, at: now!.at };
}

/**
 * Does nobody look at the database as it was before the copy? It is empty for them. Imports that wait for our lock look
 * anew when they have it.
 */
async function isSeenByAll(sql: postgres.Sql, { transaction, at }: Copy): Promise<boolean> {
  const [row] = await sql<{ before: boolean }[]>`
    select exists (select from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()
      and coalesce(backend_type, 'client backend') = 'client backend' and wait_event is distinct from 'advisory'
      and coalesce(xact_start <= ${at}, true) and age(backend_xmin) >= age(${transaction}::xid)) as before`;
  return !row!.before;
}

const swap = (sql: postgres.Sql, pid: number): Promise<boolean> =>
  unlessHeld(async () => {
    const made = await sql`select swap_documents() where pg_backend_pid() = ${pid}`;
    if (made.length === 0) throw new Error("The connection that held the lock is lost.");
  });

/** One that was given up, or whose maker died. */
const dropCopy = (sql: postgres.Sql): Promise<boolean> =>
  unlessHeld(() => sql`drop table if exists laid_documents`);

const LOCK_NOT_AVAILABLE = "55P03";

/** False when somebody holds what is to be locked. */
async function unlessHeld(work: () => PromiseLike<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

/** Every second until it works; undefined when it is time to give up. */
async function tried<T>(patienceMs: number, work: () => Promise<T | false>): Promise<T | undefined> {
  const until = Date.now() + patienceMs;
  for (;;) {
    const done = await work();
    if (done !== false) return done;
    if (Date.now() > until) return undefined;
    await sleep(1000);
  }
}
