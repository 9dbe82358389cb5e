import { instant } from "@/lib/platform/instant";
import { listJobQueues } from "@/lib/platform/jobs/overview";
import type { JobQueueList } from "@/lib/staff/stuck/contract";

/** The queues of background jobs that have a job, by name. */
export async function listQueues(): Promise<JobQueueList> {
  const queues = await listJobQueues();
  const items = queues.map(({ oldest, ...queue }) => ({
    ...queue,
    oldest_at: instant(oldest),
  }));
  return { items, total: items.length };
}
