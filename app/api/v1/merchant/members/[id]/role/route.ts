import { merchant } from "@/lib/merchants/rules";
import { changeMemberRole } from "@/lib/merchants/team/change-member-role";
import { MemberParams, MemberRole, MemberRoleInput } from "@/lib/merchants/team/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Make a member an owner, or an owner a member",
    access: merchant("team.manage"),
    params: MemberParams,
    body: MemberRoleInput,
    result: MemberRole,
    errors: ["colleague_unknown", "revision_conflict", "last_owner"],
  },
  ({ viewer, params, body }) => changeMemberRole(viewer, params.id, body),
);
