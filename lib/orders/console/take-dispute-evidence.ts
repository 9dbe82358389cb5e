import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { Locale } from "@/lib/platform/i18n/locales";
import { getDisputeEvidence } from "./get-dispute-evidence";

/**
 * Makes the evidence for a dispute. The audit log has who took it, because it names its buyer.
 * @throws ShopError dispute_unknown
 */
export async function takeDisputeEvidence(
  { userId }: StaffViewer,
  disputeId: string,
  locale: Locale,
): Promise<{ fileName: string; file: Buffer }> {
  const evidence = await getDisputeEvidence(disputeId, locale);
  await audit({ actor: userId, action: "dispute.evidence", subject: disputeId });
  return evidence;
}
