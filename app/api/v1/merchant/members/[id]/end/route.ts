import { merchant } from "@/lib/merchants/rules";
import { endMember } from "@/lib/merchants/team/commands";
import { MemberEnded, MemberParams } from "@/lib/merchants/team/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "End a membership, also one's own",
    description: "The last owner cannot leave. Tokens stay; they belong to the merchant.",
    access: merchant("team.manage"),
    params: MemberParams,
    result: MemberEnded,
    errors: ["colleague_unknown", "last_owner"],
  },
  ({ viewer, params }) => endMember(viewer, params.id),
);
