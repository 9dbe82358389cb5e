import { listFailedJobs, listJobQueues, retryJobs } from "@/lib/platform/jobs/overview";
import { formatTime, listVerb, StaffCommandError, type StaffNoun } from "./command";

/** The ids of jobs are numbers, the names of queues are not. */
const JOB_ID = /^\d{1,18}$/;

/** The queue of background jobs. A job's name is its queue. */
export const jobs: StaffNoun = {
  list: listVerb({
    description: "lists the queues with their waiting, later due, active and failed jobs",
    find: listJobQueues,
    columns: {
      queue: (row) => row.queue,
      waiting: (row) => `${row.waiting}`,
      later: (row) => `${row.later}`,
      active: (row) => `${row.active}`,
      failed: (row) => `${row.failed}`,
      "oldest due": (row) => formatTime(row.oldest),
    },
    emptyText: "No job is waiting.",
  }),
  failed: listVerb({
    description: "lists the jobs without an attempt left, with their last error",
    find: listFailedJobs,
    columns: {
      job: (row) => row.id,
      queue: (row) => row.queue,
      attempts: (row) => `${row.attempts}`,
      failed: (row) => formatTime(row.failedAt),
      error: (row) => row.error ?? "",
    },
    emptyText: "No job has failed.",
  }),
  retry: {
    usage: "JOB|QUEUE",
    description: "runs a failed job again, or all failed jobs of a queue",
    async run({ id, actor }) {
      const retried = await retryJobs(JOB_ID.test(id) ? { id } : { queue: id }, actor);
      if (retried.length === 0)
        throw new StaffCommandError(
          JOB_ID.test(id) ? `There is no failed job ${id}.` : `The queue ${id} has no failed job.`,
        );
      const what = retried.length === 1 ? "1 job runs" : `${retried.length} jobs run`;
      return { text: `${what} again.`, json: { retried } };
    },
  },
};
