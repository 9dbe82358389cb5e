import { eq, sql } from "drizzle-orm";
import { shopNow, transaction } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { merchantInvites, merchantMembers } from "@/db/schema/merchants";
import { markEmailVerified } from "@/lib/accounts/verification/verify-email";
import { lockMerchant } from "@/lib/merchants/states/change-state";
import type { InviteAccepted } from "@/lib/merchants/team/contract";
import { beginTradeFile } from "@/lib/merchants/trade-file/settle-trade-file";
import { audit } from "@/lib/platform/audit";
import type { UserViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { setMemberRole } from "./change-member-role";
import { findInvite, isMember } from "./find-invite";

/**
 * Makes the viewer a member of the merchant that has invited the address of the account. The first owner makes an `invited`
 * merchant `active`; every other state stays. Repeating it returns the same result.
 * The link verifies the address to which it was mailed.
 * @throws ShopError invite_invalid: also one that a newer replaced, invite_other_account, invite_used, invite_expired
 */
export async function acceptInvite(viewer: UserViewer, token: string): Promise<InviteAccepted> {
  return transaction(async (tx) => {
    const found = await findInvite(tx, token);
    if (!found) throw new ShopError("invite_invalid");
    if (viewer.email.toLowerCase() !== found.email) throw new ShopError("invite_other_account");
    // An account that is being deleted is locked first, then its merchants (lib/accounts/erasure/delete-account.ts).
    await tx.execute(sql`select from users where id = ${viewer.userId} for key share`);
    await lockMerchant(tx, found.merchantId);
    // Reads it again under the lock, because a second tab, a withdrawal or a newer invitation may have come first.
    const invite = await findInvite(tx, token);
    if (!invite) throw new ShopError("invite_invalid");
    const { merchantId, handle, role } = invite;
    if (invite.state === "used") {
      if (await isMember(tx, merchantId, viewer.userId)) return { handle, role };
      throw new ShopError("invite_used");
    }
    if (invite.state === "expired") throw new ShopError("invite_expired");
    // The link's secret was mailed to the address, which verifies it without another code.
    await markEmailVerified(tx, viewer.userId, invite.email);
    const byMember = await isMember(tx, merchantId, invite.invitedBy);
    const inserted = await tx
      .insert(merchantMembers)
      .values({
        id: newId("mem"),
        merchantId,
        userId: viewer.userId,
        role,
        invitedBy: byMember ? invite.invitedBy : null,
      })
      .onConflictDoNothing()
      .returning({ id: merchantMembers.id });
    if (inserted.length === 0 && role === "owner") await setMemberRole(tx, merchantId, viewer.userId, role);
    await tx.update(merchantInvites).set({ acceptedAt: shopNow }).where(eq(merchantInvites.id, invite.id));
    if (role === "owner") await beginTradeFile(tx, merchantId);
    const activates = invite.merchantState === "invited" && role === "owner";
    if (activates)
      await tx
        .update(merchants)
        .set({ state: "active", stateAt: shopNow })
        .where(eq(merchants.id, merchantId));
    const detail = {
      invite_id: invite.id,
      role,
      ...(activates && { before: { state: "invited" }, after: { state: "active" } }),
    };
    await audit({ actor: viewer.userId, action: "merchant.joined", subject: merchantId, detail }, tx);
    return { handle, role };
  });
}
