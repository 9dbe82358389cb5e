import { endpoint } from "@/lib/platform/api/endpoint";
import { ConsoleReferralList, ConsoleReferralsInput } from "@/lib/referrals/console/contract";
import { listConsoleReferrals } from "@/lib/referrals/console/list-console-referrals";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Invitations",
    description:
      "50 a page, newest first. With `email`, of the inviter or the friend, a page looks at a part of the list only: `looked_back_to` says how far, `next_cursor` goes on.",
    access: staff("campaigns.manage"),
    query: ConsoleReferralsInput,
    result: ConsoleReferralList,
    errors: ["cursor_invalid"],
  },
  ({ query }) => listConsoleReferrals(query),
);
