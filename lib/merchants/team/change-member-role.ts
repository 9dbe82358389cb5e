import { and, eq, isNull, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { merchantMembers } from "@/db/schema/merchants";
import type { MerchantRole } from "@/lib/merchants/rules";
import { lockMerchant } from "@/lib/merchants/states/change-state";
import { audit } from "@/lib/platform/audit";
import type { MerchantViewer } from "@/lib/platform/auth/merchant-access";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import { voidInvitesBy } from "./invite-colleague";
import { MEMBER_VERSION } from "./list-team";

const isLive = (merchantId: string) =>
  and(eq(merchantMembers.merchantId, merchantId), isNull(merchantMembers.endedAt));

export async function setMemberRole(tx: Tx, merchantId: string, userId: string, role: MerchantRole) {
  await tx
    .update(merchantMembers)
    .set({ role })
    .where(and(isLive(merchantId), eq(merchantMembers.userId, userId)));
}

/** Locks a member as it was shown. @throws ShopError colleague_unknown, revision_conflict */
export async function lockMember(tx: Tx, merchantId: string, memberId: string, seen: SeenVersion) {
  await lockMerchant(tx, merchantId);
  const [member] = await tx
    .select()
    .from(merchantMembers)
    .where(and(isLive(merchantId), eq(merchantMembers.id, memberId)));
  if (!member) throw new ShopError("colleague_unknown");
  await requireShownRow(tx, seen, {
    version: MEMBER_VERSION,
    from: sql`merchant_members m where m.id = ${memberId}`,
  });
  return member;
}

/** @throws ShopError last_owner */
export async function requireOtherOwner(tx: Tx, merchantId: string, memberId: string): Promise<void> {
  const owners = await tx
    .select({ id: merchantMembers.id })
    .from(merchantMembers)
    .where(and(isLive(merchantId), eq(merchantMembers.role, "owner")));
  if (!owners.some(({ id }) => id !== memberId)) throw new ShopError("last_owner");
}

/**
 * Makes a member an owner, or an owner a member, whose invitations then end.
 * @throws ShopError colleague_unknown, revision_conflict, last_owner
 */
export async function changeMemberRole(
  { merchant: { id: merchantId }, actor }: MerchantViewer,
  memberId: string,
  { role, ...seen }: SeenVersion & { role: MerchantRole },
) {
  return transaction(async (tx) => {
    const member = await lockMember(tx, merchantId, memberId, seen);
    if (member.role !== role) {
      if (role === "member") await requireOtherOwner(tx, merchantId, memberId);
      await setMemberRole(tx, merchantId, member.userId, role);
      if (role === "member") await voidInvitesBy(tx, merchantId, member.userId);
      const detail = { user_id: member.userId, before: { role: member.role }, after: { role } };
      await audit({ actor, action: "merchant.member_role", subject: merchantId, detail }, tx);
    }
    return { member_id: memberId, role };
  });
}
