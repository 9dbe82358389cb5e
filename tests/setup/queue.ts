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

/**
 * Ends the claims of refunds whose call had no answer, as their 40 seconds do. No refund may be on its way.
 * @param olderThanMs spares newer ones, whose call may still take effect
 */
export const endRefundClaims = (olderThanMs = 0) =>
  db.execute(sql`
    update refunds set requested_at = null, updated_at = shop_now() - interval '5 minutes'
    where state = 'pending' and provider_id is null
      and requested_at <= shop_now() - make_interval(secs => ${olderThanMs / 1000})`);
