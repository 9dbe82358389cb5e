import { endpoint } from "@/lib/platform/api/endpoint";
import { InboxInput, InboxView } from "@/lib/staff/inbox/contract";
import { listInbox } from "@/lib/staff/inbox/list-inbox";
import { anyStaff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Everything that waits for the staff member",
    description:
      "By time left × money × age, the most urgent first. `view` later: what was put off, is somebody else's, or waits for a role that the caller lacks.",
    access: anyStaff,
    query: InboxInput,
    result: InboxView,
    errors: [],
  },
  ({ viewer, query, locale }) => listInbox(viewer, query, locale),
);
