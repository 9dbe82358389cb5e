import { merchant } from "@/lib/merchants/rules";
import { MerchantTeam } from "@/lib/merchants/team/contract";
import { listTeam } from "@/lib/merchants/team/list-team";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The team and its open invitations",
    access: merchant("team.manage", { reauthenticated: false }),
    result: MerchantTeam,
    errors: [],
  },
  ({ viewer }) => listTeam(viewer),
);
