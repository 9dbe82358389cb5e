import { EventEmitter } from "node:events";
import { sql } from "drizzle-orm";
import { Logger, run, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import type { z } from "zod";
import { client, type Db } from "@/db/client";
import { env } from "./env";
import { log } from "./log";

/** A background task: its name, the shape of its payload, and what it does. Runs at least once. */
export type Job<S extends z.ZodType = z.ZodType> = {
  name: string;
  schema: S;
  run(payload: z.output<S>): Promise<void>;
  /** Standard cron line in UTC, for jobs that run by themselves. */
  cron?: string;
};

export const defineJob = <S extends z.ZodType>(job: Job<S>): Job<S> => job;

type EnqueueOptions = {
  /** Same key: one waiting job, not two. */
  jobKey?: string;
  runAt?: Date;
  maxAttempts?: number;
};

/** Queues a job inside the transaction that causes it: both happen, or neither. */
export async function enqueue<S extends z.ZodType>(
  tx: Db,
  job: Pick<Job<S>, "name" | "schema">,
  payload: z.input<S>,
  { jobKey, runAt, maxAttempts = 25 }: EnqueueOptions = {},
): Promise<void> {
  const body = JSON.stringify(job.schema.parse(payload));
  await tx.execute(sql`select graphile_worker.add_job(
    ${job.name}, payload => ${body}::json, job_key => ${jobKey ?? null},
    run_at => ${runAt?.toISOString() ?? null}::timestamptz, max_attempts => ${maxAttempts}::int)`);
}

const LOCK_SPACE = 70411;
const CONCURRENCY = 4;
/** How often a process looks for jobs that a killed worker has left locked. */
const RESCUE_MS = 5_000;
/** Connections of the queue beside the shop's own pool (DATABASE_POOL): one a job, one to listen, one for the lock. */
const QUEUE_POOL = CONCURRENCY + 2;

/** Runs the given jobs in this process until `stop`. */
export async function runJobs(jobs: Job[]): Promise<{ stop(): Promise<void> }> {
  const pool = new pg.Pool({
    connectionString: env().DATABASE_URL,
    max: QUEUE_POOL,
    application_name: "passlane-worker",
  });
  const lost = (error: Error) => log.warn({ err: error }, "job queue connection lost");
  pool.on("error", lost).on("connect", (connection) => connection.on("error", lost));
  const workers = new Set<string>();
  const vow = await holdWorkerLocks(workers);
  await unlockGoneWorkers(); // whoever was killed before us
  const runner = await run({
    pgPool: pool,
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    pollInterval: 1000,
    taskList: Object.fromEntries(
      jobs.map((job) => [job.name, (payload: unknown) => job.run(job.schema.parse(payload))]),
    ),
    crontab: jobs
      .filter((job) => job.cron)
      .map((job) => `${job.cron} ${job.name} ?jobKey=${job.name}`)
      .join("\n"),
    logger: quietLogger(),
    preset: { worker: { gracefulShutdownAbortTimeout: 8000 } },
    events: workerEvents(workers, vow.lock),
  });
  const rescue = keepRescuing();
  return {
    async stop() {
      clearInterval(rescue);
      await runner.stop().catch((error: unknown) => log.warn({ err: error }, "worker stopped badly"));
      await vow.release();
      await pool.end();
    },
  };
}

function keepRescuing(): NodeJS.Timeout {
  const rescue = () =>
    unlockGoneWorkers().then(
      (gone) => gone.length > 0 && log.warn({ workers: gone.length }, "jobs of killed workers set free"),
      (error: unknown) => log.warn({ err: error }, "jobs of killed workers not looked for"),
    );
  void rescue();
  return setInterval(rescue, RESCUE_MS).unref();
}

/**
 * Sets free the jobs of workers whose process is gone, and answers those workers' names. A worker has five seconds to
 * take its lock.
 */
export async function unlockGoneWorkers(): Promise<string[]> {
  const rows = await client()<{ locked_by: string }[]>`
    select locked_by from (select distinct locked_by from graphile_worker.jobs
      where locked_by is not null and locked_at < now() - interval '5 seconds') holders
    where pg_try_advisory_xact_lock(${LOCK_SPACE}, hashtext(locked_by))`;
  const gone = rows.map((row) => row.locked_by);
  if (gone.length > 0) await client()`select graphile_worker.force_unlock_workers(${gone}::text[])`;
  return gone;
}

/** This process vows that its workers live by holding one advisory lock per worker on a connection of its own. */
async function holdWorkerLocks(workers: Set<string>) {
  let connection: pg.Client | undefined;
  let ended = false;
  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: env().DATABASE_URL,
      application_name: "passlane-worker-lock",
    });
    next.on("error", (error) => {
      log.warn({ err: error }, "worker lock connection lost");
      connection = undefined;
      setTimeout(() => ended || connect().catch(() => {}), 1000).unref();
    });
    await next.connect();
    connection = next;
    for (const worker of workers) await lock(worker);
  }
  let turn: Promise<unknown> = Promise.resolve(); // one query at a time on one connection
  function lock(worker: string): Promise<void> {
    const taken = turn.then(() =>
      connection?.query("select pg_advisory_lock($1, hashtext($2))", [LOCK_SPACE, worker]),
    );
    turn = taken.catch(() => {});
    return taken.then(() => {});
  }
  await connect();
  return {
    lock,
    async release() {
      ended = true;
      await connection?.end();
    },
  };
}

function workerEvents(workers: Set<string>, lock: (worker: string) => Promise<void>): WorkerEvents {
  const events: WorkerEvents = new EventEmitter();
  events.on("worker:create", ({ worker }) => {
    workers.add(worker.workerId);
    lock(worker.workerId).catch((error) => log.warn({ err: error }, "worker lock not taken"));
  });
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
