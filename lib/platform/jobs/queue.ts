import type postgres from "postgres";
import type { z } from "zod";
import { type Db, statements } from "@/db/client";
import { currentDryRun } from "@/lib/platform/dry-run-scope";

/** A background job: its name, the schema of its payload, and its function. It runs at least once. */
export type Job<S extends z.ZodType = z.ZodType> = {
  name: string;
  schema: S;
  run(payload: z.output<S>): Promise<void>;
  /** Cron schedule in UTC, for recurring jobs. */
  cron?: string;
  /** The worker pool that runs it; `general` by default. */
  pool?: WorkerPoolName;
};

/**
 * `orders` is for keys and money, which never wait for the emails and other jobs of `general`. `webhooks` is for calls
 * of merchants' systems, `slow-webhooks` for those that failed or were slow last.
 */
export type WorkerPoolName = "orders" | "general" | "webhooks" | "slow-webhooks";

export const defineJob = <S extends z.ZodType>(job: Job<S>): Job<S> => job;

type EnqueueOptions = {
  /** A waiting job with the same key is replaced. */
  jobKey?: string;
  runAt?: Date;
  /** A waiting job with the same key keeps its time. */
  keepsRunAt?: boolean;
  maxAttempts?: number;
  /** Among due jobs, those with a lower number run first. */
  priority?: number;
};

/** The arguments of `enqueue` without the transaction. */
export type QueuedJob = readonly [
  job: Pick<Job, "name" | "schema">,
  payload: unknown,
  options?: EnqueueOptions,
];

/**
 * The SQL expression that queues a job, for use in a statement that also writes its cause. Its value is the job's id.
 */
export function enqueueSql<S extends z.ZodType>(
  tx: Db,
  job: Pick<Job<S>, "name" | "schema">,
  payload: z.input<S>,
  { jobKey, runAt, keepsRunAt = false, maxAttempts = 25, priority = 0 }: EnqueueOptions = {},
) {
  const body = JSON.stringify(job.schema.parse(payload));
  currentDryRun()?.jobs.push({ name: job.name, payload: JSON.parse(body), runAt: runAt ?? null });
  const dueAt = runAt?.toISOString() ?? null;
  return statements(
    tx,
  )`(graphile_worker.add_job(${job.name}, ${body}::json, job_key => ${jobKey ?? null}::text,
    run_at => coalesce(${dueAt}::timestamptz, now()),
    max_attempts => ${maxAttempts}::int, priority => ${priority}::int,
    job_key_mode => ${keepsRunAt ? "preserve_run_at" : "replace"}::text)).id`;
}

/**
 * The SQL rows of jobs that one statement queues, for those whose `jobKey` is in `keys`, for a statement that also writes their causes.
 * Their column is `key`. Without a row in `keys` it queues nothing.
 */
export function enqueueAllSql<S extends z.ZodType>(
  tx: Db,
  job: Pick<Job<S>, "name" | "schema">,
  jobs: readonly { jobKey: string; payload: z.input<S> }[],
  { maxAttempts = 25 }: Pick<EnqueueOptions, "maxAttempts">,
  keys: postgres.Fragment,
) {
  const rows = JSON.stringify(
    jobs.map(({ jobKey, payload }) => ({ key: jobKey, payload: job.schema.parse(payload) })),
  );
  for (const { payload } of JSON.parse(rows))
    currentDryRun()?.jobs.push({ name: job.name, payload, runAt: null });
  return statements(tx)`(
    select array_agg((${job.name}::text, q.payload::json, null, now(), ${maxAttempts}::smallint, q.key, 0::smallint, null)::graphile_worker.job_spec order by q.key) as specs
    from jsonb_to_recordset(${rows}::jsonb) q(key text, payload jsonb) where q.key in (${keys}) having count(*) > 0
  ) wanted cross join lateral graphile_worker.add_jobs(wanted.specs)`;
}

/** Queues a job in the transaction of its cause: both are committed, or neither. The commit notifies the workers. */
export async function enqueue<S extends z.ZodType>(
  tx: Db,
  job: Pick<Job<S>, "name" | "schema">,
  payload: z.input<S>,
  options: EnqueueOptions = {},
): Promise<void> {
  await statements(tx)`select ${enqueueSql(tx, job, payload, options)}`;
}
