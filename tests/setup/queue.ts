import { sql } from "drizzle-orm";
import { db } from "@/db/client";

/** Completes all waiting jobs without running them. */
export const clearQueue = () =>
  db.execute(sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`);

/** Makes failed jobs and jobs scheduled for later due now. */
export const makeJobsDue = () =>
  db.execute(sql`select graphile_worker.reschedule_jobs(
    array(select id from graphile_worker.jobs where run_at > now() or last_error is not null),
    run_at => now(), attempts => 0)`);
