import { endpoint } from "@/lib/platform/api/endpoint";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { FactorReset, MemberInput } from "@/lib/staff/members/contract";
import { resetFactor } from "@/lib/staff/members/reset-factor";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Ask to remove the authenticator app of a staff member",
    description:
      "Always needs a second person: `approval_required`, with the approval's id as the field `approval_id`.",
    access: staff("staff.manage", { reauthenticated: true }),
    body: MemberInput,
    result: FactorReset,
    approval: secondPerson("reset_factor"),
    errors: ["email_invalid", "member_unknown", "revision_conflict"],
  },
  ({ body }) => resetFactor(body),
);
