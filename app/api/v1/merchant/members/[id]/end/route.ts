import { merchant } from "@/lib/merchants/rules";
import { MemberEnded, MemberParams } from "@/lib/merchants/team/contract";
import { endMember } from "@/lib/merchants/team/end-member";
import { endpoint } from "@/lib/platform/api/endpoint";
import { SeenVersion } from "@/lib/platform/console/version";

export const POST = endpoint(
  {
    summary: "End a membership, also one's own",
    description: "The last owner cannot leave. Tokens stay; they belong to the merchant.",
    access: merchant("team.manage"),
    params: MemberParams,
    body: SeenVersion,
    result: MemberEnded,
    errors: ["colleague_unknown", "revision_conflict", "last_owner"],
  },
  ({ viewer, params, body }) => endMember(viewer, params.id, body),
);
