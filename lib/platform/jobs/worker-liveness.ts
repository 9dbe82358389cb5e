import pg from "pg";
import { client } from "@/db/client";
import { ADVISORY_LOCKS } from "@/lib/platform/advisory-locks";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";

/**
 * graphile-worker keeps the jobs of a killed worker locked for four hours. So each process holds an advisory lock for
 * each of its worker pools, on a connection of its own that ends with the process. Jobs locked by a pool without its
 * advisory lock are released.
 */

/** A pool has this long to take its advisory lock before its jobs are looked at. */
const YOUNG_SECONDS = 5;
const CHECK_MS = 5_000;
const LONGEST_PAUSE_MS = 5_000;

/** The advisory locks of this process, one for each pool id, under which graphile-worker locks jobs. */
export type Liveness = {
  add(pool: string): void;
  /** Gives up the lock of a pool that ended while this process goes on. */
  drop(pool: string): void;
  pools: ReadonlySet<string>;
  release(): Promise<void>;
};

/** Opens the connection that holds the locks, and opens it again whenever it is lost. */
export async function holdLiveness(): Promise<Liveness> {
  const pools = new Set<string>();
  let connection: pg.Client | undefined;
  let ended = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: env().DATABASE_URL,
      application_name: "passlane-worker-liveness",
    });
    next.on("error", (error) => log.warn({ err: error }, "worker liveness: connection lost"));
    next.on("end", () => {
      if (connection !== next || ended) return;
      connection = undefined;
      void reconnect(250);
    });
    await next.connect();
    for (const pool of pools) await lock(next, pool);
    connection = next;
  }

  async function reconnect(pauseMs: number): Promise<void> {
    if (ended) return;
    await connect().catch((error: unknown) => {
      log.warn({ err: error }, "worker liveness: cannot connect yet");
      setTimeout(() => reconnect(Math.min(pauseMs * 2, LONGEST_PAUSE_MS)), pauseMs).unref();
    });
  }

  await connect();
  return {
    pools,
    add(pool) {
      pools.add(pool);
      if (connection)
        lock(connection, pool).catch((error) => log.warn({ err: error }, "worker liveness: lock not taken"));
    },
    drop(pool) {
      if (!pools.delete(pool)) return;
      connection
        ?.query("select pg_advisory_unlock_shared($1, hashtext($2))", [ADVISORY_LOCKS.workers, pool])
        .catch((error) => log.warn({ err: error }, "worker liveness: lock not released"));
    },
    async release() {
      ended = true;
      await connection?.end();
    },
  };
}

const lock = (connection: pg.Client, pool: string) =>
  connection.query("select pg_advisory_lock_shared($1, hashtext($2))", [ADVISORY_LOCKS.workers, pool]);

/** Pools that have locked jobs and hold no advisory lock: killed, or just reconnecting. */
export async function findDeadWorkers(): Promise<string[]> {
  const rows = await client()<{ locked_by: string }[]>`
    select locked_by from (select distinct locked_by from graphile_worker.jobs
      where locked_by is not null and locked_at < now() - make_interval(secs => ${YOUNG_SECONDS})) holders
    where pg_try_advisory_xact_lock(${ADVISORY_LOCKS.workers}, hashtext(locked_by))`;
  return rows.map((row) => row.locked_by);
}

async function releaseJobsOf(pools: string[]): Promise<void> {
  await client()`select graphile_worker.force_unlock_workers(${pools}::text[])`;
  // A released job whose key went to a newer job is out of attempts and has no error: nobody would ever run it.
  await client()`
    select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs
      where locked_by is null and key is null and last_error is null and attempts >= max_attempts))`;
}

export type ProcessJobs = {
  pools: ReadonlySet<string>;
  /** The jobs that this process works on. */
  active: ReadonlySet<string>;
  /** Is called when the queue holds a job for this process that the process does not know of. */
  onUntrackedJob(): void;
};

/** Jobs locked by our pools that we do not work on: the database's answer that gave us the job was lost. */
async function findUnknownJobs({ pools, active }: ProcessJobs): Promise<string[]> {
  const rows = await client()<{ id: string }[]>`
    select id::text as id from graphile_worker.jobs
    where locked_by = any(${[...pools]}::text[]) and locked_at < now() - make_interval(secs => ${YOUNG_SECONDS})`;
  return rows.map((row) => row.id).filter((id) => !active.has(id));
}

/**
 * Checks every five seconds for dead workers and for unknown jobs. Only what two checks in a row find counts: a live
 * worker that lost its connection has its advisory lock back by the second one.
 */
export function watchLiveness(own: ProcessJobs): { stop(): void } {
  let suspects = new Set<string>();
  let unknown = new Set<string>();
  async function check(): Promise<void> {
    const found = await findUnknownJobs(own);
    if (found.some((id) => unknown.has(id))) own.onUntrackedJob();
    unknown = new Set(found);
    const dead = (await findDeadWorkers()).filter((pool) => !own.pools.has(pool));
    const gone = dead.filter((pool) => suspects.has(pool));
    suspects = new Set(dead);
    if (gone.length === 0) return;
    await releaseJobsOf(gone);
    log.warn({ workers: gone.length }, "jobs of dead workers released");
  }
  const guarded = () =>
    void check().catch((error: unknown) => log.warn({ err: error }, "worker liveness: check failed"));
  guarded();
  const timer = setInterval(guarded, CHECK_MS).unref();
  return { stop: () => clearInterval(timer) };
}
