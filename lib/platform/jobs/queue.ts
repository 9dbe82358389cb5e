import type { z } from "zod";
import { type Db, statements } from "@/db/client";

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
  /** The higher, the later among jobs that are due. */
  priority?: number;
  /** Dates the job back, so that it runs before jobs that have waited less. Unlike a priority it starves no other job. */
  backdateSeconds?: number;
};

/** The arguments of `enqueue`, for a job that is queued later. */
export type QueuedJob = readonly [
  job: Pick<Job, "name" | "schema">,
  payload: unknown,
  options?: EnqueueOptions,
];

/** The expression that queues a job, for a statement that also writes its cause. Its value is the job's id. */
export function enqueueSql<S extends z.ZodType>(
  on: Db,
  job: Pick<Job<S>, "name" | "schema">,
  payload: z.input<S>,
  { jobKey, runAt, maxAttempts = 25, priority = 0, backdateSeconds = 0 }: EnqueueOptions = {},
) {
  const body = JSON.stringify(job.schema.parse(payload));
  const dueAt = runAt?.toISOString() ?? null;
  return statements(
    on,
  )`(graphile_worker.add_job(${job.name}, ${body}::json, job_key => ${jobKey ?? null}::text,
    run_at => coalesce(${dueAt}::timestamptz, now() - make_interval(secs => ${backdateSeconds})),
    max_attempts => ${maxAttempts}::int, priority => ${priority}::int)).id`;
}

/** Queues a job in the transaction that causes it: both happen, or neither. Workers are notified by the commit. */
export async function enqueue<S extends z.ZodType>(
  tx: Db,
  job: Pick<Job<S>, "name" | "schema">,
  payload: z.input<S>,
  options: EnqueueOptions = {},
): Promise<void> {
  await statements(tx)`select ${enqueueSql(tx, job, payload, options)}`;
}
