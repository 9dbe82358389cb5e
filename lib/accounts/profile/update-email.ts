import { and, eq, isNull, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { sessions, users } from "@/db/schema/accounts";
import { anonymizeUser } from "@/lib/accounts/erasure/anonymize-user";
import { queueSecurityNotice } from "@/lib/accounts/queue-security-notice";
import { requireReauthentication } from "@/lib/accounts/reauthentication/require-reauthentication";
import { removeUnverifiedOwnerData } from "@/lib/accounts/registration/create-user";
import { maskEmail } from "@/lib/accounts/rules";
import { toSignedIn } from "@/lib/accounts/sign-in/open-session";
import { checkCode, consumeCode } from "@/lib/accounts/verification/check-code";
import { moveSubscriptions, moveWaitList } from "@/lib/notifications/subscriptions/move-subscriptions";
import { audit } from "@/lib/platform/audit";
import { startSession, type UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { serializeError } from "@/lib/platform/serialize-error";
import type { UpdateEmailInput } from "./contract";

/**
 * Changes the account's email, verified by a `change_email` code (email/update, docs/product.md#72-accounts). Reveals
 * only after the verification that the address is taken. An unverified account without orders loses the address. Ends
 * all sessions; this one continues under a new id. Notifies both addresses, the old one only if it was verified. Orders
 * keep their delivery email.
 * @throws ShopError reauthentication_required, code_wrong, code_expired, code_used_up, email_in_use
 */
export async function updateEmail(viewer: UserViewer, input: UpdateEmailInput, device: string) {
  await requireReauthentication(viewer);
  const { userId } = viewer;
  const { new_email: email, verification_code: code, verification_id: id } = input;
  const codeId = await checkCode({ email, purpose: "change_email", code, id: id || undefined, userId });
  const change = async (tx: Tx) => {
    // Locks accounts before codes, in the same order as account deletion.
    const previous = await setEmail(tx, userId, email);
    await consumeCode(tx, codeId);
    await endAllSessions(tx, viewer);
    if (previous.email !== email) await notifyAddresses(tx, viewer, previous, email);
    return startSession({ id: userId }, device, tx, viewer.sessionId);
  };
  const session = await transactionWithRetry(change);
  return { response: await toSignedIn(userId, session), cookie: session.cookie };
}

/** A second attempt reclaims the address from an unverified account that was registered in the meantime. */
async function transactionWithRetry<T>(change: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await transaction(change);
    } catch (error) {
      if (serializeError(error).code !== "23505") throw error; // unique_violation
      if (attempt === 2) throw new ShopError("email_in_use");
    }
}

type PreviousEmail = { id: string; email: string; emailVerified: boolean };

/** Returns the previous address in lower case and whether it was verified. */
async function setEmail(tx: Tx, userId: string, email: string): Promise<PreviousEmail> {
  // Locks both rows in id order, so that two users who swap addresses cannot deadlock.
  const rows = await tx.execute<PreviousEmail>(sql`
    select id, lower(email) as email, email_verified_at is not null as "emailVerified" from users
    where (id = ${userId} and deleted_at is null) or lower(email) = ${email} order by id for update`);
  const user = rows.find(({ id }) => id === userId);
  if (!user) throw new ShopError("session_ended");
  const otherUser = rows.find(({ id }) => id !== userId);
  if (otherUser) await reclaimEmail(tx, otherUser.id, userId);
  await tx.update(users).set({ email, emailVerifiedAt: shopNow }).where(eq(users.id, userId));
  if (user.email === email) return user;
  const change = { userId, from: user.email, to: email };
  await moveWaitList(tx, change);
  // Subscriptions of an unverified address stay with that address.
  if (user.emailVerified) await moveSubscriptions(tx, change);
  return user;
}

/** Ends all sessions of the user; throws when this session has already ended. */
async function endAllSessions(tx: Tx, { userId, sessionId }: UserViewer): Promise<void> {
  const ended = await tx
    .update(sessions)
    .set({ revokedAt: shopNow })
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt)))
    .returning({ id: sessions.id });
  if (!ended.some(({ id }) => id === sessionId)) throw new ShopError("session_ended");
}

/** An unverified old address receives nothing, because it may belong to someone else. */
async function notifyAddresses(
  tx: Tx,
  { userId, locale }: UserViewer,
  previous: PreviousEmail,
  email: string,
): Promise<void> {
  const refs = { address: maskEmail(email) };
  if (previous.emailVerified)
    await queueSecurityNotice(tx, { kind: "email_changed_old", to: previous.email, locale, userId, refs });
  await queueSecurityNotice(tx, { kind: "email_changed_new", to: email, locale, userId });
}

/**
 * Deletes the unverified account of an address for the user who has verified it. Subscriptions of the address stay. The
 * caller has locked the other user's row, so that an order being placed is seen.
 * @throws ShopError email_in_use: a verified account, staff, or an account with orders
 */
async function reclaimEmail(tx: Tx, otherUserId: string, newOwnerId: string): Promise<void> {
  const [otherUser] = await tx.execute<{ email: string }>(sql`
    select lower(email) as email from users u
    where id = ${otherUserId} and email_verified_at is null and role = 'user' and deleted_at is null
      and not exists (select from orders o where o.user_id = u.id and o.status <> 'cancelled')`);
  if (!otherUser) throw new ShopError("email_in_use");
  await removeUnverifiedOwnerData(tx, otherUserId);
  await anonymizeUser(tx, { userId: otherUserId, email: otherUser.email, emailVerified: false });
  await audit({ actor: newOwnerId, action: "account.displaced", subject: otherUserId }, tx);
}
