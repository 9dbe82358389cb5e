import { InviteLinkInput, InviteView } from "@/lib/merchants/team/contract";
import { getInvite } from "@/lib/merchants/team/find-invite";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "What the link of an invitation to a merchant leads to",
    description: "It never names the invited address.",
    access: "public",
    body: InviteLinkInput,
    result: InviteView,
    errors: ["invite_invalid"],
    rate: [{ limit: 60, seconds: 600, by: "ip" }],
    replay: false,
  },
  ({ body, viewer }) => getInvite(viewer, body.token),
);
