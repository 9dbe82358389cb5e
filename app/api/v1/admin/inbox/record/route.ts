import { endpoint } from "@/lib/platform/api/endpoint";
import { InboxRecord, InboxRecordInput } from "@/lib/staff/inbox/contract";
import { getInboxRecord } from "@/lib/staff/inbox/get-record";
import { anyStaff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "One thing of the inbox, with the calls that decide about it",
    description: "Conversations, disputes, applications and changes are read by their own calls.",
    access: anyStaff,
    query: InboxRecordInput,
    result: InboxRecord,
    errors: ["item_unknown"],
  },
  ({ viewer, query, locale }) => getInboxRecord(viewer, query.key, locale),
);
