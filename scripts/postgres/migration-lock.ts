import type postgres from "postgres";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { countOf } from "../command/count-of";

/** The application name of a migration's connections. */
export const MIGRATION_NAME = "passlane-migrate";

const RETRY_MS = 500;
const SAY_AGAIN_MS = 30_000;
/** A migration of a large database may take this long; a lock that is held longer belongs to a process that hangs. */
const WAIT_MS = 20 * 60_000;

type Holder = { pid: number; client: string; minutes: number };
type Options = { waitMs?: number; say?: (line: string) => void };

/**
 * Takes the lock of migrations for this connection, which holds it until it ends. Names the holder it waits for,
 * immediately and every 30 seconds.
 * @throws Error when another migration holds the lock for longer than `waitMs` (20 minutes)
 */
export async function takeMigrationLock(
  client: postgres.Sql,
  { waitMs = WAIT_MS, say = console.log }: Options = {},
): Promise<void> {
  const startedAt = performance.now();
  for (let saidAt = Number.NEGATIVE_INFINITY; ; ) {
    const [row] = await client<{ taken: boolean }[]>`
      select pg_try_advisory_lock(${ADVISORY_LOCKS.migration}) as taken`;
    if (row!.taken) return;
    const waitedMs = performance.now() - startedAt;
    if (waitedMs >= waitMs)
      throw new Error(
        `Another migration has not ended within ${describeMs(waitMs)}: ${await describeHolder(client)}. End it, or pg_terminate_backend its connection, then migrate again.`,
      );
    if (performance.now() - saidAt >= SAY_AGAIN_MS) {
      saidAt = performance.now();
      say(`Waiting for another migration: ${await describeHolder(client)}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

const describeMs = (ms: number) =>
  ms < 60_000 ? countOf(ms / 1000, "second") : countOf(ms / 60_000, "minute");

async function describeHolder(client: postgres.Sql): Promise<string> {
  const [holder] = await client<Holder[]>`
    select a.pid, coalesce(host(a.client_addr), 'a local socket') as client,
      floor(extract(epoch from now() - a.backend_start) / 60)::int as minutes
    from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and l.granted and l.database = (select oid from pg_database where datname = current_database())
      and ((l.classid::bigint << 32) | l.objid::bigint) = ${ADVISORY_LOCKS.migration} and l.objsubid = 1`;
  return holder
    ? `server process ${holder.pid}, from ${holder.client}, connected for ${countOf(holder.minutes, "minute")}`
    : "its connection has just ended";
}
