import { EventEmitter } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { Logger, type Runner, run, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import { env } from "@/lib/platform/env";
import { log } from "@/lib/platform/log";
import { writeCounter } from "@/lib/platform/page-cache/tags";
import { errorSummary } from "@/lib/platform/serialize-error";
import type { Job } from "./queue";
import { holdLiveness, type Liveness, watchLiveness } from "./worker-liveness";

const CONCURRENCY = 4;
/** Connections of the queue, in addition to DATABASE_POOL: one per running job, one that listens, and a spare one. */
const QUEUE_POOL = CONCURRENCY + 2;
const MAX_RESTART_PAUSE_MS = 30_000;
/** How long a stopping runner is waited for. One whose connections broke while it wrote results may never stop. */
const STOP_TIMEOUT_MS = 20_000;

export type Worker = { isRunning(): boolean; stop(): Promise<void> };

/** Runs the given jobs in this process until `stop`. A runner that fails, e.g. without a database, is restarted. */
export async function runJobs(jobs: Job[], stopTimeoutMs = STOP_TIMEOUT_MS): Promise<Worker> {
  const liveness = await holdLiveness();
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
    return startRunner(jobs, workerEvents(liveness, active, onFailure));
  };
  runner = await start();
  const onUntrackedJob = () => replaceRunner("the queue has an untracked job for this worker");
  const watch = watchLiveness({ pools: liveness.pools, active, onUntrackedJob });
  const running = (async () => {
    for (let pauseMs = 1_000; !end.signal.aborted; pauseMs = Math.min(pauseMs * 2, MAX_RESTART_PAUSE_MS)) {
      await runnerEnded();
      if (end.signal.aborted) break;
      for (const pool of liveness.pools) liveness.drop(pool);
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
    isRunning: () => runner !== undefined,
    async stop() {
      end.abort();
      watch.stop();
      setTimeout(stopWaiting, stopTimeoutMs).unref();
      if (!isReplacing) runner?.stop().catch(onStopError);
      await running;
      await liveness.release();
    },
  };
}

async function startRunner(jobs: Job[], events: WorkerEvents): Promise<Runner> {
  const pool = new pg.Pool({
    connectionString: env().DATABASE_URL,
    max: QUEUE_POOL,
    application_name: "passlane-worker",
  });
  const onError = (error: Error) => log.warn({ err: error }, "job queue connection lost");
  pool.on("error", onError).on("connect", (connection) => connection.on("error", onError));
  try {
    const runner = await run({
      pgPool: pool,
      concurrency: CONCURRENCY,
      noHandleSignals: true,
      pollInterval: 1000,
      taskList: Object.fromEntries(jobs.map((job) => [job.name, (payload: unknown) => runJob(job, payload)])),
      crontab: toCrontab(jobs),
      logger: quietLogger(),
      preset: {
        // Without delays, completed jobs are written at once: a job that ends during a stop does not run again.
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

/** The crontab of the recurring jobs. Each has a queue of its own, so that it never runs twice at the same time. */
export const toCrontab = (jobs: readonly Job[]): string =>
  jobs
    .filter((job) => job.cron)
    .map((job) => `${job.cron} ${job.name} ?queue=${job.name}&jobKey=${job.name}`)
    .join("\n");

/** Runs a job. The queue stores and logs the error, so the error must not contain the values of a failed statement. */
async function runJob(job: Job, payload: unknown): Promise<void> {
  try {
    await job.run(job.schema.parse(payload));
  } catch (error) {
    throw new Error(errorSummary(error), { cause: error });
  } finally {
    writeCounter().count += 1; // pages requested from now on show what the job changed
  }
}

function workerEvents(
  liveness: Liveness,
  active: Set<string>,
  onFailure: (reason: string) => void,
): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  events.on("pool:create", ({ workerPool }) => liveness.add(workerPool.id));
  events.on("job:start", ({ job }) => active.add(String(job.id)));
  events.on("job:complete", ({ job }) => active.delete(String(job.id)));
  events.on("pool:fatalError", ({ action }) => onFailure(`${action} failed`));
  events.on("job:error", ({ job, error }) =>
    log.warn(
      { job: job.task_identifier, attempt: job.attempts, err: error },
      "job failed and will be retried",
    ),
  );
  events.on("job:failed", ({ job, error }) =>
    log.error({ job: job.task_identifier, err: error }, "job failed permanently"),
  );
  return events;
}

function quietLogger(): Logger {
  return new Logger(() => (level: string, message) => {
    if (level === "error") log.error({ source: "jobs" }, message);
    else if (level === "warning") log.warn({ source: "jobs" }, message);
  });
}
