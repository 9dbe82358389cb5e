import { eq } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { merchantMembers } from "@/db/schema/merchants";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { SeenVersion } from "@/lib/platform/console/version";
import { lockMember, requireOtherOwner } from "./change-member-role";
import { voidInvitesBy } from "./invite-colleague";

/**
 * Ends a membership, also one's own, with the invitations that the member made.
 * @throws ShopError colleague_unknown, revision_conflict, last_owner
 */
export async function endMember(
  { merchant: { id: merchantId }, actor }: MerchantViewer,
  memberId: string,
  seen: SeenVersion,
) {
  return transaction(async (tx) => {
    const member = await lockMember(tx, merchantId, memberId, seen);
    if (member.role === "owner") await requireOtherOwner(tx, merchantId, memberId);
    await tx
      .update(merchantMembers)
      .set({ endedAt: shopNow, endedBy: actor })
      .where(eq(merchantMembers.id, memberId));
    await voidInvitesBy(tx, merchantId, member.userId);
    const detail = { user_id: member.userId, role: member.role };
    await audit({ actor, action: "merchant.member_ended", subject: merchantId, detail }, tx);
    return { member_id: memberId, ended: true as const };
  });
}
