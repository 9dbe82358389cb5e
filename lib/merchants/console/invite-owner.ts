import { transaction } from "@/db/client";
import { createInvite } from "@/lib/merchants/team/invite-colleague";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { requireMerchant } from "./require-merchant";

/**
 * Invites an owner. The state of the merchant stays until someone accepts.
 * @throws ShopError merchant_unknown, merchant_state: it has ended, already_member, team_full
 */
export async function inviteOwner({ userId: actor }: StaffViewer, id: string, email: string) {
  return transaction(async (tx) => {
    const merchant = await requireMerchant(tx, id);
    const invite = await createInvite(tx, merchant, { email, role: "owner", locale: merchant.locale, actor });
    return { merchant_id: id, invite_id: invite.invite_id };
  });
}
