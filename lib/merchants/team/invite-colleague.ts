import { and, eq, isNull, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { merchantInvites } from "@/db/schema/merchants";
import { INVITE_DAYS, type MerchantRole, TEAM_MAX } from "@/lib/merchants/rules";
import { type LockedMerchant, lockMerchant } from "@/lib/merchants/states/change-state";
import type { InviteInput, InviteSent } from "@/lib/merchants/team/contract";
import { queueMail } from "@/lib/notifications/queue-mail";
import { takeMailBudget } from "@/lib/notifications/take-mail-budget";
import { audit } from "@/lib/platform/audit";
import { inviteToken, inviteTokenHash, type MerchantViewer } from "@/lib/platform/auth/merchant-access";
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

/** Voids the open invitations that an owner of a locked merchant made who is none any more: they would lead back in. */
export async function voidInvitesBy(tx: Tx, merchantId: string, userId: string): Promise<void> {
  await tx
    .update(merchantInvites)
    .set({ revokedAt: shopNow })
    .where(and(isOpen(merchantId), eq(merchantInvites.invitedBy, userId)));
}

/**
 * Invites an address to a locked merchant, and mails the link. Voids earlier invitations of the address; if the
 * merchant has no members yet, voids those of all addresses, so that only the newest one makes an owner.
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

/** @throws ShopError invite_invalid: it is not an open invitation of this merchant */
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
