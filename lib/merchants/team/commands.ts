import { and, eq, isNull, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { merchantInvites, merchantMembers } from "@/db/schema/merchants";
import { INVITE_DAYS, type MerchantRole, TEAM_MAX } from "@/lib/merchants/rules";
import { type LockedMerchant, lockMerchant } from "@/lib/merchants/states/commands";
import type { InviteAccepted, InviteInput, InviteSent } from "@/lib/merchants/team/contract";
import { findInvite, isMember, MEMBER_VERSION } from "@/lib/merchants/team/queries";
import { queueMail } from "@/lib/notifications/queue-mail";
import { takeMailBudget } from "@/lib/notifications/take-mail-budget";
import { audit } from "@/lib/platform/audit";
import { inviteToken, inviteTokenHash, type MerchantViewer } from "@/lib/platform/auth/merchant-access";
import type { UserViewer } from "@/lib/platform/auth/session";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";

type NewInvite = { email: string; role: MerchantRole; locale: string; actor: string };

const isOpen = (merchantId: string) =>
  and(
    eq(merchantInvites.merchantId, merchantId),
    isNull(merchantInvites.acceptedAt),
    isNull(merchantInvites.revokedAt),
  );

/** Voids the open invitations of a locked merchant: to this address, or all. */
async function voidInvites(tx: Tx, merchantId: string, email?: string): Promise<void> {
  await tx
    .update(merchantInvites)
    .set({ revokedAt: shopNow })
    .where(and(isOpen(merchantId), email === undefined ? undefined : eq(merchantInvites.email, email)));
}

/**
 * Invites an address to a locked merchant, and mails the link. An earlier invitation of the address is void; where nobody
 * is a member yet, that of every other address too, so that only the newest makes an owner.
 * @throws ShopError merchant_state: it has ended, already_member, team_full
 */
export async function createInvite(
  tx: Tx,
  merchant: LockedMerchant,
  { email, role, locale, actor }: NewInvite,
): Promise<InviteSent> {
  if (merchant.state === "ended") throw new ShopError("merchant_state");
  const [team] = await tx.execute<{ members: number; invites: number; joined: boolean }>(sql`
    select count(*)::int as members, coalesce(bool_or(lower(u.email) = ${email}), false) as joined,
      (select count(*)::int from merchant_invites i where i.merchant_id = ${merchant.id} and i.email <> ${email}
        and i.accepted_at is null and i.revoked_at is null) as invites
    from merchant_members m join users u on u.id = m.user_id where m.merchant_id = ${merchant.id} and m.ended_at is null`);
  const { members, invites, joined } = team!;
  if (joined) throw new ShopError("already_member");
  if (members + invites >= TEAM_MAX) throw new ShopError("team_full", { params: { limit: TEAM_MAX } });
  await voidInvites(tx, merchant.id, members === 0 ? undefined : email);
  const id = newId("inv");
  const [invite] = await tx
    .insert(merchantInvites)
    .values({
      id,
      merchantId: merchant.id,
      email,
      role,
      locale,
      tokenHash: inviteTokenHash(inviteToken(id)),
      invitedBy: actor,
      expiresAt: sql`shop_now() + make_interval(days => ${INVITE_DAYS})`,
    })
    .returning({ expiresAt: merchantInvites.expiresAt });
  await queueMail(tx, {
    event: "merchant-invite",
    to: email,
    locale,
    refs: { inviteId: id },
    dedupeKey: `merchant-invite:${id}`,
  });
  await audit(
    { actor, action: "merchant.invited", subject: merchant.id, detail: { invite_id: id, role } },
    tx,
  );
  return { invite_id: id, expires_at: invite!.expiresAt.toISOString() };
}

/**
 * Invites a colleague.
 * @throws ShopError already_member, team_full, merchant_state, too_many_requests
 */
export async function inviteColleague(
  { merchant: { id }, actor, locale }: MerchantViewer,
  { email, role }: InviteInput,
  ip: string,
): Promise<InviteSent> {
  return transaction(async (tx) => {
    const merchant = await lockMerchant(tx, id);
    if (!merchant) throw new ShopError("merchant_state");
    const sent = await createInvite(tx, merchant, { email, role, locale, actor });
    await takeMailBudget(tx, { ip, userId: actor }, email);
    return sent;
  });
}

/** @throws ShopError invite_invalid: it is no open invitation of this merchant */
export async function revokeInvite({ merchant: { id: merchantId }, actor }: MerchantViewer, id: string) {
  return transaction(async (tx) => {
    await lockMerchant(tx, merchantId);
    const revoked = await tx
      .update(merchantInvites)
      .set({ revokedAt: shopNow })
      .where(and(isOpen(merchantId), eq(merchantInvites.id, id)))
      .returning({ id: merchantInvites.id });
    if (revoked.length === 0) throw new ShopError("invite_invalid");
    await audit(
      { actor, action: "merchant.invite_revoked", subject: merchantId, detail: { invite_id: id } },
      tx,
    );
    return { invite_id: id, revoked: true as const };
  });
}

/**
 * Makes the viewer a member of the merchant that has invited the address of the account. The first owner makes an `invited`
 * merchant `active`; every other state stays. Repeating it returns the same result.
 * @throws ShopError invite_invalid: also one that a newer replaced, invite_other_account, email_unverified, invite_used,
 * invite_expired
 */
export async function acceptInvite(viewer: UserViewer, token: string): Promise<InviteAccepted> {
  return transaction(async (tx) => {
    const found = await findInvite(tx, token);
    if (!found) throw new ShopError("invite_invalid");
    if (viewer.email.toLowerCase() !== found.email) throw new ShopError("invite_other_account");
    if (!viewer.emailVerified) throw new ShopError("email_unverified");
    // An account that is being deleted is locked first, then its merchants (lib/accounts/erasure/delete-account.ts).
    await tx.execute(sql`select from users where id = ${viewer.userId} for key share`);
    await lockMerchant(tx, found.merchantId);
    // Read again, because a second tab, a withdrawal or a newer invitation may have come first.
    const invite = await findInvite(tx, token);
    if (!invite) throw new ShopError("invite_invalid");
    const { merchantId, handle, role } = invite;
    if (invite.state === "used") {
      if (await isMember(tx, merchantId, viewer.userId)) return { handle, role };
      throw new ShopError("invite_used");
    }
    if (invite.state === "expired") throw new ShopError("invite_expired");
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

const isLive = (merchantId: string) =>
  and(eq(merchantMembers.merchantId, merchantId), isNull(merchantMembers.endedAt));

async function setMemberRole(tx: Tx, merchantId: string, userId: string, role: MerchantRole) {
  await tx
    .update(merchantMembers)
    .set({ role })
    .where(and(isLive(merchantId), eq(merchantMembers.userId, userId)));
}

/** Locks a member as it was shown. @throws ShopError colleague_unknown, revision_conflict */
async function lockMember(tx: Tx, merchantId: string, memberId: string, seen: SeenVersion) {
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
async function requireOtherOwner(tx: Tx, merchantId: string, memberId: string): Promise<void> {
  const owners = await tx
    .select({ id: merchantMembers.id })
    .from(merchantMembers)
    .where(and(isLive(merchantId), eq(merchantMembers.role, "owner")));
  if (!owners.some(({ id }) => id !== memberId)) throw new ShopError("last_owner");
}

/**
 * Ends a membership, also one's own.
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
    const detail = { user_id: member.userId, role: member.role };
    await audit({ actor, action: "merchant.member_ended", subject: merchantId, detail }, tx);
    return { member_id: memberId, ended: true as const };
  });
}

/**
 * Makes a member an owner, or an owner a member.
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
      const detail = { user_id: member.userId, before: { role: member.role }, after: { role } };
      await audit({ actor, action: "merchant.member_role", subject: merchantId, detail }, tx);
    }
    return { member_id: memberId, role };
  });
}
