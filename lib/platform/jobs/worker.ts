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
/** Connections of the queue beside the shop's own pool (DATABASE_POOL): one a job, one to listen, one to spare. */
const QUEUE_POOL = CONCURRENCY + 2;
const LONGEST_PAUSE_MS = 30_000;

export type Worker = { isRunning(): boolean; stop(): Promise<void> };

/** Runs the given jobs in this process until `stop`; a runner that fails (a database away too long) is started again. */
export async function runJobs(jobs: Job[]): Promise<Worker> {
  const liveness = await holdLiveness();
  const active = new Set<string>();
  const end = new AbortController();
  let runner: Runner | undefined = await startRunner(jobs, liveness, active);
  let isReplacing = false;

  /**
   * Lets the jobs at work end and starts a new pool, so that the next checks find the old one dead: the queue releases
   * jobs by pool, not one by one.
   */
  function replaceRunner() {
    if (isReplacing || !runner || end.signal.aborted) return;
    isReplacing = true;
    log.warn("the queue holds a job that this worker does not know of: its pool is replaced");
    runner.stop().catch((error: unknown) => log.warn({ err: error }, "worker stopped badly"));
  }

  const watch = watchLiveness({ pools: liveness.pools, active, onUntrackedJob: replaceRunner });
  const running = (async () => {
    for (let pauseMs = 1_000; !end.signal.aborted; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      await runner?.promise.catch((error: unknown) => log.error({ err: error }, "job runner failed"));
      if (end.signal.aborted) break;
      for (const pool of liveness.pools) liveness.drop(pool);
      active.clear();
      if (!isReplacing) {
        runner = undefined;
        await wait(pauseMs, undefined, { signal: end.signal }).catch(() => {});
        if (end.signal.aborted) break;
      }
      isReplacing = false;
      runner = await startRunner(jobs, liveness, active).catch((error: unknown) => {
        log.error({ err: error }, "job runner cannot start yet");
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
      if (!isReplacing)
        await runner?.stop().catch((error: unknown) => log.warn({ err: error }, "worker stopped badly"));
      await running;
      await liveness.release();
    },
  };
}

async function startRunner(jobs: Job[], liveness: Liveness, active: Set<string>): Promise<Runner> {
  const pool = new pg.Pool({
    connectionString: env().DATABASE_URL,
    max: QUEUE_POOL,
    application_name: "passlane-worker",
  });
  const lost = (error: Error) => log.warn({ err: error }, "job queue connection lost");
  pool.on("error", lost).on("connect", (connection) => connection.on("error", lost));
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
        // Batches are awaited before the pool ends: a job that ends during a stop is written down and does not run again.
        worker: { gracefulShutdownAbortTimeout: 8000, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
      },
      events: workerEvents(liveness, active),
    });
    void runner.promise.catch(() => {}).finally(() => pool.end());
    return runner;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** The jobs of the clock. A queue each: one that takes longer than its minute is never doubled. */
export const toCrontab = (jobs: readonly Job[]): string =>
  jobs
    .filter((job) => job.cron)
    .map((job) => `${job.cron} ${job.name} ?queue=${job.name}&jobKey=${job.name}`)
    .join("\n");

/** What the queue keeps and prints of a failure holds no values of its statement. */
async function runJob(job: Job, payload: unknown): Promise<void> {
  try {
    await job.run(job.schema.parse(payload));
  } catch (error) {
    throw new Error(errorSummary(error), { cause: error });
  } finally {
    writeCounter().count += 1; // pages that are asked for from now on show what it did
  }
}

function workerEvents(liveness: Liveness, active: Set<string>): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  events.on("pool:create", ({ workerPool }) => liveness.add(workerPool.id)); // jobs are locked in the pool's name
  events.on("job:start", ({ job }) => active.add(String(job.id)));
  events.on("job:complete", ({ job }) => active.delete(String(job.id)));
  events.on("job:error", ({ job, error }) =>
    log.warn(
      { job: job.task_identifier, attempt: job.attempts, err: error },
      "job failed, will be tried again",
    ),
  );
  events.on("job:failed", ({ job, error }) =>
    log.error({ job: job.task_identifier, err: error }, "job given up"),
  );
  return events;
}

function quietLogger(): Logger {
  return new Logger(() => (level: string, message) => {
    if (level === "error") log.error({ source: "jobs" }, message);
    else if (level === "warning") log.warn({ source: "jobs" }, message);
  });
}
