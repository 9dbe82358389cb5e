import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { enqueue } from "@/lib/platform/jobs/queue";
import { SendSlowWebhooks, SendWebhooks } from "@/lib/webhooks/contract-jobs";

/**
 * Queues a job for each endpoint with a due delivery, every second. Endpoints whose last attempt failed or was slow
 * have their own worker slots. Returns the number of jobs.
 */
export async function dispatchWebhooks(): Promise<number> {
  const due = await db.execute<{ id: string; slow: boolean }>(sql`
    select e.id, e.slow from webhook_endpoints e
    where e.id in (select d.endpoint_id from webhook_deliveries d
      where d.state = 'waiting' and d.next_at <= shop_now() and coalesce(d.claimed_until <= shop_now(), true))
      and e.state = 'enabled' and e.removed_at is null order by e.id`);
  if (due.length > 0)
    await transaction(async (tx) => {
      for (const { id: endpointId, slow } of due)
        await enqueue(
          tx,
          slow ? SendSlowWebhooks : SendWebhooks,
          { endpointId },
          { jobKey: `webhooks:${endpointId}`, keepsRunAt: true },
        );
    });
  return due.length;
}
