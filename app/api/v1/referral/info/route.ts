import { endpoint } from "@/lib/platform/api/endpoint";
import { ReferralInfo, ReferralInput } from "@/lib/referrals/contract";
import { getReferrals } from "@/lib/referrals/rewards/get-referrals";

export const GET = endpoint(
  {
    summary: "The viewer's invitations: code, link, counts and invited users, newest first",
    access: "user",
    query: ReferralInput,
    result: ReferralInfo,
    errors: [],
  },
  ({ query, viewer, locale }) => getReferrals(viewer, query, locale),
);
