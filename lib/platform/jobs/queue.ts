import { setTimeout as wait } from "node:timers/promises";
import type { z } from "zod";
import { afterCommit, client, type Db, statements } from "@/db/client";
import { log } from "@/lib/platform/log";

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
  /** Goes before what has been waiting for less than this. Unlike a priority it lets nobody wait for ever. */
  headStartSeconds?: number;
};

/** What `enqueue` is given of a job that is queued later. */
export type QueuedJob = readonly [
  job: Pick<Job, "name" | "schema">,
  payload: unknown,
  options?: EnqueueOptions,
];

/** The call that queues a job, for a statement that writes what causes it too. Whoever runs it then wakes the workers. */
export function queueCall<S extends z.ZodType>(
  on: Db,
  job: Pick<Job<S>, "name" | "schema">,
  payload: z.input<S>,
  { jobKey, runAt, maxAttempts = 25, priority = 0, headStartSeconds = 0 }: EnqueueOptions = {},
) {
  const body = JSON.stringify(job.schema.parse(payload));
  const dueAt = runAt?.toISOString() ?? null;
  return statements(on)`queue_job(${job.name}, ${body}::json, ${jobKey ?? null}::text,
    coalesce(${dueAt}::timestamptz, now() - make_interval(secs => ${headStartSeconds})), ${maxAttempts}::int, ${priority}::int)`;
}

/** Queues a job inside the transaction that causes it: both happen, or neither. */
export async function enqueue<S extends z.ZodType>(
  tx: Db,
  job: Pick<Job<S>, "name" | "schema">,
  payload: z.input<S>,
  options: EnqueueOptions = {},
): Promise<void> {
  await statements(tx)`select from ${queueCall(tx, job, payload, options)}`.execute();
  if (!options.runAt) afterCommit(tx, wakeWorkers);
}

/** Between two calls: in a rush of orders one call asks for many workers. */
const CALL_PAUSE_MS = 20;

let wanted = 0;
let waking = false;

/**
 * Asks for one more worker; without it what is queued is found within a second (migration 0023). Those that are asked for
 * while others are being called, or just after, are called together.
 */
export async function wakeWorkers(): Promise<void> {
  wanted += 1;
  if (waking) return;
  waking = true;
  await null; // what else the same commit has queued
  while (wanted > 0) {
    const notice = JSON.stringify({ count: wanted });
    wanted = 0;
    await client()`select pg_notify('jobs:insert', ${notice})`.catch((error: unknown) =>
      log.warn({ err: error }, "the workers were not woken"),
    );
    await wait(CALL_PAUSE_MS, undefined, { ref: false }); // a process that ends does not wait for it
  }
  waking = false;
}
