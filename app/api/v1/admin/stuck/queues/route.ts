import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";
import { JobQueueList } from "@/lib/staff/stuck/contract";
import { listQueues } from "@/lib/staff/stuck/list-queues";

export const GET = endpoint(
  {
    summary: "Queues of background jobs",
    description:
      "Each with its waiting, later due, active and failed jobs, and since when the oldest waiting or failed one is due. A queue without a job is not listed. The board polls it; it does not extend staff mode.",
    access: staff("orders.read"),
    result: JobQueueList,
    polled: true,
    errors: [],
  },
  () => listQueues(),
);
