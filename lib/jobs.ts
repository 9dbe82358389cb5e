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
  /** Later than others that are due: the more, the later. */
  priority?: number;
};

/** Queues a job inside the transaction that causes it: both happen, or neither. */
export async function enqueue<S extends z.ZodType>(
  tx: Db,
  job: Pick<Job<S>, "name" | "schema">,
  payload: z.input<S>,
  { jobKey, runAt, maxAttempts = 25, priority = 0 }: EnqueueOptions = {},
): Promise<void> {
  const body = JSON.stringify(job.schema.parse(payload));
  await statements(tx)`select from graphile_worker.add_job(
    ${job.name}, payload => ${body}::json, job_key => ${jobKey ?? null},
    run_at => ${runAt?.toISOString() ?? null}::timestamptz, max_attempts => ${maxAttempts}::int,
    priority => ${priority}::int)`.execute();
}
