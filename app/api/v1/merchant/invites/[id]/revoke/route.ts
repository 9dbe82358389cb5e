import { merchant } from "@/lib/merchants/rules";
import { InviteParams, InviteRevoked } from "@/lib/merchants/team/contract";
import { revokeInvite } from "@/lib/merchants/team/invite-colleague";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Withdraw an invitation",
    access: merchant("team.manage"),
    params: InviteParams,
    result: InviteRevoked,
    errors: ["invite_invalid"],
  },
  ({ viewer, params }) => revokeInvite(viewer, params.id),
);
