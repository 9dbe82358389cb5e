import { endpoint } from "@/lib/platform/api/endpoint";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { changeRoles } from "@/lib/staff/members/change-roles";
import { RolesChanged, RolesInput, StaffMemberList } from "@/lib/staff/members/contract";
import { listStaffMembers } from "@/lib/staff/members/list-staff-members";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  { summary: "Staff members", access: staff("staff.manage"), result: StaffMemberList, errors: [] },
  () => listStaffMembers(),
);

export const POST = endpoint(
  {
    summary: "Set the roles of a staff member",
    description:
      "Replaces the roles of the account with this address; an empty list ends its membership. Giving a role, and taking the role of an administrator, needs a second administrator: `approval_required`, with the approval's id as the field `approval_id`. With `preview` nothing changes, and the response lists the effects.",
    access: staff("staff.manage", { reauthenticated: true }),
    body: RolesInput,
    previewable: effects,
    result: RolesChanged,
    approval: secondPerson("grant_admin", "grant_roles", "remove_admin"),
    errors: ["email_invalid", "member_unknown", "revision_conflict", "last_admin"],
  },
  ({ viewer, body }) => changeRoles(viewer, body),
);
