import type { StaffViewer } from "@/lib/platform/auth/session";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import { refuseReferral } from "@/lib/referrals/rewards/refuse-referral";

/** Refuses an invitation that is not decided: it earns no reward. @throws ShopError referral_unknown, referral_decided, revision_conflict */
export async function refuseReferralByStaff({ userId }: StaffViewer, id: string, { version }: SeenVersion) {
  const outcome = await refuseReferral(id, { actor: userId, version });
  if (outcome === null) throw new ShopError("referral_unknown");
  if (outcome === "too_late") throw new ShopError("referral_decided");
  return { referral_id: id };
}
