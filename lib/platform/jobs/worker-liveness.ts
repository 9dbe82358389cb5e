import type pg from "pg";
import { client } from "@/db/client";
import { connectClient } from "@/db/connect-pg";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";

/**
 * graphile-worker keeps the jobs of a killed worker locked for four hours. So each process holds an advisory lock for
 * each of its worker pools, on its own connection that ends with the process. Jobs locked by a pool without its
 * advisory lock are released.
 */

/** Job locks younger than this are not checked, so that a new pool has time to take its advisory lock. */
const GRACE_SECONDS = 5;
const CHECK_MS = 5_000;
const CONNECT_MS = 5_000;
/** A connection to a server that is gone may look open. Other workers release the jobs of one without its lock after 5 seconds. */
const HEARTBEAT_MS = 1_500;
const MAX_RECONNECT_PAUSE_MS = 5_000;

/** The advisory locks of this process, one for each pool id. graphile-worker locks jobs in the name of the pool id. */
export type Liveness = Awaited<ReturnType<typeof holdLiveness>>;

/** Opens the connection that holds the locks, and reopens it when it is lost. */
export async function holdLiveness() {
  const pools = new Set<string>();
  let connection: pg.Client | undefined;
  let isReleased = false;

  async function connect(): Promise<void> {
    const next = await connectClient(env().DATABASE_DIRECT_URL, {
      application_name: "passlane-worker-liveness",
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: HEARTBEAT_MS,
    });
    next.on("error", (error) => log.warn({ err: error }, "worker liveness: connection lost"));
    next.on("end", () => {
      if (connection !== next || isReleased) return;
      connection = undefined;
      void reconnect(250);
    });
    for (const pool of pools) await lock(next, pool);
    connection = next;
  }

  async function reconnect(pauseMs: number): Promise<void> {
    if (isReleased) return;
    await connect().catch((error: unknown) => {
      log.warn({ err: error }, "worker liveness: cannot connect yet");
      setTimeout(() => reconnect(Math.min(pauseMs * 2, MAX_RECONNECT_PAUSE_MS)), pauseMs).unref();
    });
  }

  await connect();
  const heartbeat = setInterval(() => {
    const current = connection;
    // When it fails, the connection's end event opens another one.
    current?.query("select 1").catch(() => current.end().catch(() => {}));
  }, HEARTBEAT_MS).unref();
  return {
    pools: pools as ReadonlySet<string>,
    add(pool: string) {
      pools.add(pool);
      if (connection)
        lock(connection, pool).catch((error) => log.warn({ err: error }, "worker liveness: lock not taken"));
    },
    /** Releases the lock of a pool that has ended while this process continues. */
    drop(pool: string) {
      if (!pools.delete(pool)) return;
      connection
        ?.query("select pg_advisory_unlock_shared($1, hashtext($2))", [ADVISORY_LOCKS.workers, pool])
        .catch((error) => log.warn({ err: error }, "worker liveness: lock not released"));
    },
    async release() {
      isReleased = true;
      clearInterval(heartbeat);
      await connection?.end();
    },
  };
}

const lock = (connection: pg.Client, pool: string) =>
  connection.query("select pg_advisory_lock_shared($1, hashtext($2))", [ADVISORY_LOCKS.workers, pool]);

/** Pools that have locked jobs but hold no advisory lock: they were killed, or are reconnecting. */
export async function findDeadWorkers(): Promise<string[]> {
  const rows = await client()<{ locked_by: string }[]>`
    select locked_by from (select distinct locked_by from graphile_worker.jobs
      where locked_by is not null and locked_at < now() - make_interval(secs => ${GRACE_SECONDS})) holders
    where pg_try_advisory_xact_lock(${ADVISORY_LOCKS.workers}, hashtext(locked_by))`;
  return rows.map((row) => row.locked_by);
}

/** How many worker pools are alive, of all processes of this database. */
export async function countLivePools(): Promise<number> {
  // The check above takes the same lock for a moment, but not a shared one.
  const [row] = await client()<{ pools: number }[]>`
    select count(distinct objid)::int as pools from pg_locks
    where locktype = 'advisory' and classid = ${ADVISORY_LOCKS.workers} and mode = 'ShareLock' and granted
      and database = (select oid from pg_database where datname = current_database())`;
  return row!.pools;
}

async function releaseJobs(pools: string[]): Promise<void> {
  await client()`select graphile_worker.force_unlock_workers(${pools}::text[])`;
  // A job that was replaced by a newer one with its key has no key, no error and no attempts left. It would stay forever.
  await client()`
    select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs
      where locked_by is null and key is null and last_error is null and attempts >= max_attempts))`;
}

/** The state of a worker pool of this process. */
export type ProcessJobs = {
  /** The pool's id; a second one while its runner is replaced. */
  ids: ReadonlySet<string>;
  /** The ids of the jobs that the pool is running. */
  active: ReadonlySet<string>;
  /** Called if the queue has locked a job for the pool that the pool is not running. */
  onUntrackedJob(): void;
};

/** Jobs locked by a pool of this process that it is not running, because the response with the job was lost. */
async function findUntrackedJobs(
  pools: readonly ProcessJobs[],
): Promise<{ id: string; pool: ProcessJobs }[]> {
  const ids = pools.flatMap((pool) => [...pool.ids]);
  const rows = await client()<{ id: string; lockedBy: string }[]>`
    select id::text as id, locked_by as "lockedBy" from graphile_worker.jobs
    where locked_by = any(${ids}::text[]) and locked_at < now() - make_interval(secs => ${GRACE_SECONDS})`;
  return rows.flatMap(({ id, lockedBy }) => {
    const pool = pools.find(({ ids }) => ids.has(lockedBy));
    return pool && !pool.active.has(id) ? [{ id, pool }] : [];
  });
}

/**
 * Checks every five seconds for dead workers and untracked jobs. A finding counts if two checks in a row have it, because
 * a live worker that lost its connection has its advisory lock back by the second check.
 */
export function watchLiveness(
  liveness: Pick<Liveness, "pools">,
  pools: readonly ProcessJobs[],
): { stop(): void } {
  let previousWorkers = new Set<string>();
  let previousJobs = new Set<string>();
  async function check(): Promise<void> {
    const untracked = await findUntrackedJobs(pools);
    for (const { id, pool } of untracked) if (previousJobs.has(id)) pool.onUntrackedJob();
    previousJobs = new Set(untracked.map(({ id }) => id));
    const withoutLock = (await findDeadWorkers()).filter((pool) => !liveness.pools.has(pool));
    const dead = withoutLock.filter((pool) => previousWorkers.has(pool));
    previousWorkers = new Set(withoutLock);
    if (dead.length === 0) return;
    await releaseJobs(dead);
    log.warn({ workers: dead.length }, "jobs of dead workers released");
  }
  const checkAndLog = () =>
    void check().catch((error: unknown) => log.warn({ err: error }, "worker liveness: check failed"));
  checkAndLog();
  const timer = setInterval(checkAndLog, CHECK_MS).unref();
  return { stop: () => clearInterval(timer) };
}
