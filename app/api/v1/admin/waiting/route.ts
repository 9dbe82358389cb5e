import { endpoint } from "@/lib/platform/api/endpoint";
import { anyStaff } from "@/lib/staff/rules";
import { WaitingView } from "@/lib/staff/today/contract";
import { countQueues } from "@/lib/staff/today/count-queues";

export const GET = endpoint(
  {
    summary: "What waits, by queue",
    description:
      "The queues of /admin/today alone, for the counts in the menu, which asks after each page and decision, and every five minutes while its reader types or presses.",
    access: anyStaff,
    result: WaitingView,
    errors: [],
  },
  async ({ viewer }) => ({ queues: await countQueues(viewer) }),
);
