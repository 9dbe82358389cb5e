import { isDisposableEmail } from "disposable-email-domains-js";
import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx } from "@/db/client";
import { users } from "@/db/schema/accounts";
import { referrals } from "@/db/schema/referrals";
import { emailIdentity, emailIdentityHash } from "@/lib/platform/auth/email-identity";
import { hmac } from "@/lib/platform/crypto/hmac";
import { newId } from "@/lib/platform/crypto/ids";
import { FRIENDS_PER_NETWORK, type ReferralReason } from "./rules";

/** A friend registered by invitation. `network` is the truncated IP address. */
export type InvitedFriend = { inviterId: string; friendId: string; email: string; network: string };

/**
 * Records the invitation of a new account, in its transaction; immediately refuses a referral that can earn no reward.
 */
export async function recordInvitation(tx: Tx, friend: InvitedFriend): Promise<void> {
  const identity = emailIdentityHash(friend.email);
  const network = hmac("network", friend.network);
  const reason = await firstRefusalReason(tx, friend, { identity, network });
  await tx
    .insert(referrals)
    .values({
      id: newId("ref"),
      inviterId: friend.inviterId,
      friendId: friend.friendId,
      emailIdentity: identity,
      network,
      state: reason ? "refused" : "registered",
      reason,
      decidedAt: reason ? shopNow : null,
    })
    .onConflictDoNothing({ target: referrals.friendId });
}

async function firstRefusalReason(
  tx: Tx,
  { inviterId, email }: InvitedFriend,
  { identity, network }: { identity: string; network: string },
): Promise<ReferralReason | null> {
  const [inviter] = await tx.select({ email: users.email }).from(users).where(eq(users.id, inviterId));
  if (!inviter || emailIdentity(inviter.email) === emailIdentity(email)) return "same_person";
  if (isDisposableEmail(email)) return "throwaway_address";
  const [similar] = await tx.execute<{ same_identity: number; same_network: number }>(sql`
    select count(*) filter (where email_identity = ${identity})::int as same_identity,
      count(*) filter (where network = ${network} and inviter_id = ${inviterId}
        and created_at > shop_now() - interval '1 day')::int as same_network
    from referrals where email_identity = ${identity} or network = ${network}`);
  if (similar!.same_identity > 0) return "same_person";
  return similar!.same_network >= FRIENDS_PER_NETWORK ? "many_from_one_place" : null;
}
