import { acceptInvite } from "@/lib/merchants/team/accept-invite";
import { InviteAccepted, InviteLinkInput } from "@/lib/merchants/team/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Accept an invitation to a merchant with the token of its link",
    description:
      "The verified email of the account must be the invited one. The first owner makes an invited merchant active.",
    access: "user",
    body: InviteLinkInput,
    result: InviteAccepted,
    errors: ["invite_invalid", "invite_other_account", "invite_used", "invite_expired"],
    replay: false,
  },
  ({ body, viewer }) => acceptInvite(viewer, body.token),
);
