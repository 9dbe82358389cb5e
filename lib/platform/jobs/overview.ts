import { client, statements, type Tx, transaction } from "@/db/client";
import { audit } from "@/lib/platform/audit";

/** A job's name is its own queue here. Times are the queue's: ISO 8601, in real time. */
export type JobQueue = {
  queue: string;
  /** due, and not taken by a worker */
  waiting: number;
  /** due later, also those that wait for their next attempt */
  later: number;
  active: number;
  /** without an attempt left */
  failed: number;
  /** since when the oldest waiting or failed one is due */
  oldest: string | null;
};

export type FailedJob = {
  id: string;
  queue: string;
  attempts: number;
  error: string | null;
  failedAt: string;
};

/** Failed jobs that a list has at most. */
const LISTED = 200;
/** Jobs that one statement runs again. */
const RETRIED_AT_ONCE = 1_000;

/** The queues that have a job. */
export async function listJobQueues(): Promise<JobQueue[]> {
  return client()<JobQueue[]>`
    select task_identifier as queue,
      count(*) filter (where locked_at is null and attempts < max_attempts and run_at <= now())::int as waiting,
      count(*) filter (where locked_at is null and attempts < max_attempts and run_at > now())::int as later,
      count(*) filter (where locked_at is not null)::int as active,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed,
      min(run_at) filter (where locked_at is null and (run_at <= now() or attempts >= max_attempts)) as oldest
    from graphile_worker.jobs group by task_identifier order by task_identifier`;
}

/** Failed jobs with their last error, the oldest first, at most LISTED. Errors are stored without values. */
export async function listFailedJobs(): Promise<FailedJob[]> {
  return client()<FailedJob[]>`
    select id::text as id, task_identifier as queue, attempts::int as attempts, last_error as error, updated_at as "failedAt"
    from graphile_worker.jobs where locked_at is null and attempts >= max_attempts order by id limit ${LISTED}`;
}

/** Which jobs to run again: one by its id, or all failed ones of a queue. */
export type RetriedJobs = { id: string } | { queue: string };

/**
 * Runs failed jobs again now, with all their attempts, and writes it to the audit log. Returns the ids; a job that has
 * attempts left, or that a worker has, is left alone.
 */
export async function retryJobs(which: RetriedJobs, actor: string): Promise<string[]> {
  return transaction(async (tx) => {
    const retried: string[] = [];
    for (let ids = await findFailed(tx, which, "0"); ids.length > 0; ) {
      const jobs = await statements(tx)<{ id: string }[]>`
        select id::text as id from graphile_worker.reschedule_jobs(${ids}::bigint[], run_at => now(), attempts => 0)`;
      for (const { id } of jobs) retried.push(id);
      ids = ids.length < RETRIED_AT_ONCE ? [] : await findFailed(tx, which, ids.at(-1)!);
    }
    if (retried.length === 0) return [];
    const subject = "id" in which ? which.id : which.queue;
    await audit({ actor, action: "jobs.retried", subject, detail: { jobs: retried.length } }, tx);
    return retried;
  });
}

/** The next ones after an id, at most RETRIED_AT_ONCE. */
async function findFailed(tx: Tx, which: RetriedJobs, after: string): Promise<string[]> {
  const sql = statements(tx);
  const rows = await sql<{ id: string }[]>`
    select id::text as id from graphile_worker.jobs
    where locked_at is null and attempts >= max_attempts and id > ${after}::bigint
      and ${"id" in which ? sql`id = ${which.id}::bigint` : sql`task_identifier = ${which.queue}`}
    order by jobs.id limit ${RETRIED_AT_ONCE}`;
  return rows.map(({ id }) => id);
}
