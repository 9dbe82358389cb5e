import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";
import { QueueRetried, RetryQueueInput } from "@/lib/staff/stuck/contract";
import { retryQueue } from "@/lib/staff/stuck/retry-stuck";

export const POST = endpoint(
  {
    summary: "Run all failed jobs of a queue again",
    description:
      "Now, with all their attempts. Jobs that have attempts left, and those of a worker, are left alone. A second press finds none and changes nothing.",
    access: staff("stuck.retry"),
    body: RetryQueueInput,
    takesLong: true,
    previewable: effects,
    result: QueueRetried,
    errors: [],
  },
  ({ viewer, body }) => retryQueue(viewer, body.queue),
);
