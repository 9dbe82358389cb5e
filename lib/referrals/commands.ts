import { isDisposableEmail } from "disposable-email-domains-js";
import { eq, lt, sql } from "drizzle-orm";
import { client, shopNow, statements, type Tx } from "@/db/client";
import { deleteInBatches } from "@/db/retention";
import { users } from "@/db/schema/accounts";
import { inviteClicks, referrals } from "@/db/schema/referrals";
import { REFUND_DAYS } from "@/lib/payments/refunds/rules";
import { emailIdentity, emailIdentityHash } from "@/lib/platform/auth/email-identity";
import { hmac } from "@/lib/platform/crypto/hmac";
import { newId } from "@/lib/platform/crypto/ids";
import { FRIENDS_PER_NETWORK, type ReferralReason } from "./rules";

/** A friend registered by invitation. `network` is the truncated IP address. */
export type InvitedFriend = { inviterId: string; friendId: string; email: string; network: string };

/** Records the invitation of a new account, in its transaction; refuses at once a referral that can earn no reward. */
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

/**
 * Starts the waiting time of the reward when an invited friend pays for the first time. An order that brings less money than
 * the reward is worth starts nothing, or a friend could pay with coupons what the inviter gets.
 */
export async function recordFirstPayment(tx: Tx, userId: string, orderId: string): Promise<void> {
  await statements(tx)`
    update referrals r set state = 'pending', order_id = o.id,
      due_at = o.paid_at + make_interval(days => ${REFUND_DAYS})
    from orders o where o.id = ${orderId} and r.friend_id = ${userId} and r.state = 'registered'
      and o.total_cents >= coalesce((select amount_cents from campaigns where id = 'inviter'), 0)`;
}

/** Counts a visitor of an invite link once per day; ignores unknown codes. */
export async function recordInviteClick(code: string, ip: string): Promise<void> {
  const visitor = hmac("invite-visitor", `${code}:${ip}`);
  await client()`
    insert into invite_clicks (id, inviter_id, visitor, day)
    select ${newId("clk")}, u.id, ${visitor}, (shop_now() at time zone 'UTC')::date from users u
    where u.invite_code = ${code} and u.deleted_at is null
    on conflict (inviter_id, visitor, day) do nothing`;
}

/** Deletes clicks older than 90 days. */
export async function deleteOldClicks(): Promise<void> {
  const isOld = lt(inviteClicks.createdAt, sql`shop_now() - interval '90 days'`);
  await deleteInBatches(inviteClicks, isOld, sql`created_at`);
}
