import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { Marked, MarkInput } from "@/lib/staff/inbox/contract";
import { markItem } from "@/lib/staff/inbox/mark-item";
import { anyStaff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Put a thing of the inbox off, give it to a colleague, or hand it over to a role",
    description: "`release` takes these marks away.",
    access: anyStaff,
    body: MarkInput,
    texts: withoutCodes(({ body }: { body: MarkInput }) => [
      body.mark.kind === "hand_over" ? body.mark.note : null,
    ]),
    result: Marked,
    errors: ["permission_missing", "member_unknown", "order_unknown"],
  },
  ({ viewer, body }) => markItem(viewer, body),
);
