import { endpoint } from "@/lib/platform/api/endpoint";
import { anyStaff } from "@/lib/staff/rules";
import { WaitingView } from "@/lib/staff/today/contract";
import { countQueues } from "@/lib/staff/today/count-queues";

export const GET = endpoint(
  {
    summary: "What waits, by queue",
    description:
      "The queues of /admin/today alone, for the counts in the menu, which asks after each page. It does not extend staff mode.",
    access: anyStaff,
    result: WaitingView,
    polled: true,
    errors: [],
  },
  async ({ viewer }) => ({ queues: await countQueues(viewer) }),
);
