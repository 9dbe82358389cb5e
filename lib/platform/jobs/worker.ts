import { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Logger, type Runner, run, type WorkerEvents, type WorkerPool } from "graphile-worker";
import { openPool } from "@/db/connect-pg";
import { waitForDatabase } from "@/db/wait-for-database";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { errorSummary } from "@/lib/platform/serialize-error";
import { observe } from "@/lib/platform/telemetry/telemetry";
import type { Job, WorkerPoolName } from "./queue";
import { holdLiveness, type Liveness, type ProcessJobs, watchLiveness } from "./worker-liveness";

/** Slots of each pool. Jobs of one pool never wait for those of another. */
const CONCURRENCY: Record<WorkerPoolName, number> = {
  orders: 4,
  general: 4,
  webhooks: 4,
  "slow-webhooks": 2,
};
/**
 * Every queued job makes all pools look for one of theirs. Those that are in no hurry look once for all jobs of this time, or an order
 * would pay for many looks that find nothing.
 */
const LOOK_EVERY_MS: Partial<Record<WorkerPoolName, number>> = {
  general: 50,
  webhooks: 250,
  "slow-webhooks": 250,
};
const CONNECT_MS = 5_000;
const STATEMENT_MS = 30_000;
const MAX_RESTART_PAUSE_MS = 30_000;
/** How long a stopping runner is waited for. One whose connections broke while it wrote results may never stop. */
const STOP_TIMEOUT_MS = 20_000;

export type Worker = { isRunning(): boolean; stop(): Promise<void> };

/**
 * Runs the given jobs in this process until `stop`, each in its pool. A pool's runner that fails, e.g. without a
 * database, is restarted.
 */
export async function runJobs(jobs: Job[], stopTimeoutMs = STOP_TIMEOUT_MS): Promise<Worker> {
  const liveness = await waitForDatabase(holdLiveness, { say: warn });
  const names = [...new Set(jobs.map(poolOf))];
  const pools = await Promise.all(
    names.map((name) => {
      const poolJobs = jobs.filter((job) => poolOf(job) === name);
      const lookEveryMs = LOOK_EVERY_MS[name];
      return runPool({
        jobs: poolJobs,
        concurrency: CONCURRENCY[name],
        lookEveryMs,
        liveness,
        stopTimeoutMs,
      });
    }),
  );
  const watch = watchLiveness(liveness, pools);
  return {
    isRunning: () => pools.every((pool) => pool.isRunning()),
    async stop() {
      watch.stop();
      await Promise.all(pools.map((pool) => pool.stop()));
      await liveness.release();
    },
  };
}

const warn = (line: string) => log.warn({}, line);

const poolOf = ({ pool = "general" }: Job): WorkerPoolName => pool;

type PoolOptions = {
  jobs: Job[];
  concurrency: number;
  lookEveryMs: number | undefined;
  liveness: Liveness;
  stopTimeoutMs: number;
};

async function runPool({
  jobs,
  concurrency,
  lookEveryMs,
  liveness,
  stopTimeoutMs,
}: PoolOptions): Promise<Worker & ProcessJobs> {
  const ids = new Set<string>();
  const active = new Set<string>();
  const end = new AbortController();
  let runner: Runner | undefined;
  let isReplacing = false;
  let stopWaiting = () => {};
  const onStopError = (error: unknown) => log.warn({ err: error }, "job runner did not stop cleanly");

  /** Resolves when the runner has ended, or does not stop in time. */
  const runnerEnded = () =>
    new Promise<void>((resolve) => {
      stopWaiting = resolve;
      if (!runner) return resolve();
      runner.promise.catch((error: unknown) => log.error({ err: error }, "job runner failed")).then(resolve);
    });

  /**
   * Waits for the running jobs and starts a new pool. The liveness checks then find the old pool dead and release its
   * untracked job: the queue can only release all jobs of a pool. A job that outlives the wait may run twice, as after a
   * kill.
   */
  function replaceRunner(reason: string) {
    if (isReplacing || !runner || end.signal.aborted) return;
    isReplacing = true;
    log.warn({ reason }, "the worker's pool is replaced");
    runner.stop().catch(onStopError);
    setTimeout(stopWaiting, stopTimeoutMs).unref();
  }

  let starts = 0;
  const start = () => {
    starts += 1;
    const number = starts;
    // A pool that has ended may still report failed writes; they do not concern the runner after it.
    const onFailure = (reason: string) => void (number === starts && replaceRunner(reason));
    const onCreate = (pool: WorkerPool) => {
      ids.add(pool.id);
      liveness.add(pool.id);
      if (lookEveryMs) gatherNudges(pool, lookEveryMs);
    };
    return startRunner(jobs, concurrency, workerEvents({ onCreate, active, onFailure }));
  };
  runner = await waitForDatabase(start, { say: warn });
  const running = (async () => {
    for (let pauseMs = 1_000; !end.signal.aborted; pauseMs = Math.min(pauseMs * 2, MAX_RESTART_PAUSE_MS)) {
      await runnerEnded();
      if (end.signal.aborted) break;
      for (const id of ids) liveness.drop(id);
      ids.clear();
      active.clear();
      const isReplacement = isReplacing;
      isReplacing = false;
      runner = undefined;
      if (!isReplacement) {
        await wait(pauseMs, undefined, { signal: end.signal }).catch(() => {});
        if (end.signal.aborted) break;
      }
      runner = await start().catch((error: unknown) => {
        log.error({ err: error }, "job runner cannot start");
        return undefined;
      });
      if (runner) pauseMs = 500;
      if (end.signal.aborted) await runner?.stop();
    }
    runner = undefined;
  })();
  return {
    ids,
    active,
    onUntrackedJob: () => replaceRunner("the queue has an untracked job for this worker"),
    isRunning: () => runner !== undefined,
    async stop() {
      end.abort();
      setTimeout(stopWaiting, stopTimeoutMs).unref();
      if (!isReplacing) runner?.stop().catch(onStopError);
      await running;
    },
  };
}

async function startRunner(jobs: Job[], concurrency: number, events: WorkerEvents): Promise<Runner> {
  const pool = openPool(env().DATABASE_DIRECT_URL, {
    // A connection is used to take a job and to complete it, not while the job runs. One listens for new jobs.
    max: concurrency,
    application_name: "passlane-worker",
    // A connection to a server that is gone may look open. The runner is replaced when a statement fails.
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
  });
  const onError = (error: Error) => log.warn({ err: error }, "job queue connection lost");
  pool.on("error", onError).on("connect", (connection) => connection.on("error", onError));
  try {
    const runner = await run({
      pgPool: pool,
      concurrency,
      noHandleSignals: true,
      pollInterval: 1000,
      taskList: Object.fromEntries(jobs.map((job) => [job.name, (payload: unknown) => runJob(job, payload)])),
      crontab: toCrontab(jobs),
      logger: quietLogger(),
      preset: {
        // Without delays, completed jobs are written immediately: a job that ends during a stop does not run again.
        worker: { gracefulShutdownAbortTimeout: 8000, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
      },
      events,
    });
    void runner.promise.catch(() => {}).finally(() => pool.end());
    return runner;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** The crontab of the recurring jobs. Each has its own queue, so that it never runs twice at the same time. */
export const toCrontab = (jobs: readonly Job[]): string =>
  jobs
    .filter((job) => job.cron)
    .map((job) => `${job.cron} ${job.name} ?queue=${job.name}&jobKey=${job.name}`)
    .join("\n");

/** Runs a job. The queue stores and logs the error, so the error must not contain the values of a failed statement. */
async function runJob(job: Job, payload: unknown): Promise<void> {
  try {
    await observe({ kind: "job", name: job.name }, async () => job.run(job.schema.parse(payload)));
  } catch (error) {
    throw new Error(errorSummary(error), { cause: error });
  }
}

/** Passes the nudges of some time on as one, unless the pool stops meanwhile. */
function gatherNudges(pool: WorkerPool, ms: number): void {
  const nudge = pool.nudge.bind(pool);
  let count = 0;
  const look = () => {
    const jobs = count;
    count = 0;
    if (!stopping.has(pool)) nudge(jobs);
  };
  pool.nudge = (jobs) => {
    if (count === 0) setTimeout(look, ms).unref();
    count += jobs;
  };
}

const stopping = new WeakSet<WorkerPool>();

type PoolEvents = {
  onCreate: (pool: WorkerPool) => void;
  /** The ids of the running jobs. */
  active: Set<string>;
  onFailure: (reason: string) => void;
};

function workerEvents({ onCreate, active, onFailure }: PoolEvents): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  events.on("pool:create", ({ workerPool }) => onCreate(workerPool));
  events.on("pool:gracefulShutdown", ({ workerPool }) => stopping.add(workerPool));
  events.on("job:start", ({ job }) => active.add(String(job.id)));
  events.on("job:complete", ({ job }) => active.delete(String(job.id)));
  events.on("pool:fatalError", ({ action }) => onFailure(`${action} failed`));
  events.on("job:error", ({ job, error }) =>
    log.warn(
      { job: job.task_identifier, jobId: job.id, attempt: job.attempts, err: error },
      "job failed and will be retried",
    ),
  );
  events.on("job:failed", ({ job, error }) =>
    log.error({ job: job.task_identifier, jobId: job.id, err: error }, "job failed permanently"),
  );
  return events;
}

function quietLogger(): Logger {
  return new Logger(() => (level: string, message) => {
    if (level === "error") log.error({ source: "jobs" }, message);
    else if (level === "warning") log.warn({ source: "jobs" }, message);
  });
}
