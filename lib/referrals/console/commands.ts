import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { refuseReferral } from "@/lib/referrals/rewards/commands";

/** Refuses an invitation that is not decided: it earns no reward. @throws ShopError referral_unknown, referral_decided */
export async function refuseReferralByStaff({ userId }: StaffViewer, id: string) {
  const outcome = await refuseReferral(id, userId);
  if (outcome === null) throw new ShopError("referral_unknown");
  if (outcome === "too_late") throw new ShopError("referral_decided");
  return { referral_id: id };
}
