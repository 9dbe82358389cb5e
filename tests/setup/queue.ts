import { sql } from "drizzle-orm";
import { db } from "@/db/client";

/** Deletes the jobs that wait, by the queue's own function. */
export const clearQueue = () =>
  db.execute(sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`);

/** Ends the pauses of jobs that failed or are planned for later. */
export const makeJobsDue = () =>
  db.execute(sql`select graphile_worker.reschedule_jobs(
    array(select id from graphile_worker.jobs where run_at > now() or last_error is not null),
    run_at => now(), attempts => 0)`);

/**
 * Locks a job in a pool's name six seconds ago, as when the network loses the answer that gives the pool the job: only
 * the database knows of it. No public function can do this, so the test writes the queue's own tables.
 */
export async function lockUnheard(jobKey: string, pool: string): Promise<void> {
  const lock = sql`locked_by = ${pool}, locked_at = now() - interval '6 seconds'`;
  await db.execute(sql`update graphile_worker._private_jobs set ${lock}, attempts = 1 where key = ${jobKey}`);
  await db.execute(sql`update graphile_worker._private_job_queues set ${lock}
    where id = (select job_queue_id from graphile_worker._private_jobs where key = ${jobKey})`);
}
