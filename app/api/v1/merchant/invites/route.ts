import { merchant } from "@/lib/merchants/rules";
import { InviteInput, InviteSent } from "@/lib/merchants/team/contract";
import { inviteColleague } from "@/lib/merchants/team/invite-colleague";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Invite a colleague",
    description: "Mails a link that works once within 7 days; an earlier invitation of the address is void.",
    access: merchant("team.manage"),
    body: InviteInput,
    result: InviteSent,
    errors: ["already_member", "team_full", "email_invalid", "too_many_requests"],
  },
  ({ viewer, body, ip }) => inviteColleague(viewer, body, ip),
);
