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
