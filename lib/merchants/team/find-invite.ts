import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import type { InviteState, MerchantRole, MerchantState } from "@/lib/merchants/rules";
import type { InviteView } from "@/lib/merchants/team/contract";
import { inviteToken, inviteTokenHash } from "@/lib/platform/auth/merchant-access";
import type { Viewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";

export type Invite = {
  id: string;
  merchantId: string;
  email: string;
  role: MerchantRole;
  invitedBy: string;
  state: InviteState;
  expiresAt: Date;
  name: string;
  handle: string;
  merchantState: MerchantState;
};

/** The invitation of a link; null for an unknown token, a withdrawn or replaced invitation, and an ended merchant. */
export async function findInvite(tx: Db, token: string): Promise<Invite | null> {
  const [row] = await tx.execute<Omit<Invite, "expiresAt"> & { expiresAt: string }>(sql`
    select i.id, i.merchant_id as "merchantId", i.email, i.role, i.invited_by as "invitedBy",
      case when i.accepted_at is not null then 'used' when i.expires_at <= shop_now() then 'expired' else 'open' end as state,
      i.expires_at as "expiresAt", m.name, m.handle, m.state as "merchantState"
    from merchant_invites i join merchants m on m.id = i.merchant_id
    where i.token_hash = ${inviteTokenHash(token)} and i.revoked_at is null and m.state <> 'ended'`);
  return row ? { ...row, expiresAt: new Date(row.expiresAt) } : null;
}

/** Whether a person sells for a merchant. */
export async function isMember(tx: Db, merchantId: string, userId: string): Promise<boolean> {
  const [row] = await tx.execute(sql`
    select 1 from merchant_members where merchant_id = ${merchantId} and user_id = ${userId} and ended_at is null`);
  return row !== undefined;
}

/** What an invitation link shows; null for an invalid one. */
export async function viewInvite(viewer: Viewer, token: string): Promise<InviteView | null> {
  const invite = await findInvite(db, token);
  if (!invite) return null;
  const user = viewer.kind === "user" ? viewer : null;
  return {
    state: invite.state,
    merchant_name: invite.name,
    role: invite.role,
    expires_at: invite.expiresAt.toISOString(),
    email: invite.state === "open" ? invite.email : null,
    for_viewer: user && user.email.toLowerCase() === invite.email,
    handle: user && (await isMember(db, invite.merchantId, user.userId)) ? invite.handle : null,
  };
}

/**
 * Like `viewInvite`, for calls.
 * @throws ShopError invite_invalid
 */
export async function getInvite(viewer: Viewer, token: string): Promise<InviteView> {
  const invite = await viewInvite(viewer, token);
  if (!invite) throw new ShopError("invite_invalid");
  return invite;
}

/** The email with the link; null when it is used, withdrawn, replaced or expired. */
export async function inviteMail(inviteId: string) {
  const token = inviteToken(inviteId);
  const invite = await findInvite(db, token);
  if (invite?.state !== "open") return null;
  const { name: merchant, role, expiresAt } = invite;
  return { token, merchant, role, expiresAt };
}
