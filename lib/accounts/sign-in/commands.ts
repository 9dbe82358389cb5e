import { eq, sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { users } from "@/db/schema/accounts";
import type { LoginInput, RefreshInput, SignedIn } from "@/lib/accounts/contract";
import { loginCounterFamilies } from "@/lib/accounts/locks/queries";
import { accountFields } from "@/lib/accounts/queries";
import { LOGIN_WINDOW_SECONDS } from "@/lib/accounts/rules";
import { verifyPassword } from "@/lib/platform/auth/password";
import {
  endSession,
  endSessionByToken,
  rotateSession,
  type StartedSession,
  startSession,
  type Viewer,
} from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { networkPrefix } from "@/lib/platform/http/ip";
import { type Counter, clearRateLimit, takeRateLimit } from "@/lib/platform/rate-limit";

export type LoginResult = { response: SignedIn; cookie: string };

/** Signs a user in on a device and ends the previous session, so that the session id changes with the rights. */
export async function openSession(viewer: Viewer, userId: string, device: string): Promise<LoginResult> {
  return toLoginResult(viewer, userId, await startSession({ id: userId }, device));
}

async function toLoginResult(viewer: Viewer, userId: string, session: StartedSession): Promise<LoginResult> {
  if (viewer.kind === "user") await endSession(viewer.sessionId);
  return { response: await toSignedIn(userId, session), cookie: session.cookie };
}

export async function toSignedIn(userId: string, { token, refreshToken }: StartedSession): Promise<SignedIn> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  if (!user) throw new ShopError("session_ended");
  return { token, refresh_token: refreshToken, ...accountFields(user) };
}

/** The client's device name, as in the list of sessions, and its IP address. */
export type ClientInfo = { device: string; ip: string };

/** The failed logins of an account from one network (invalid addresses count as one), then from all networks. */
function loginCounters(email: string, ip: string): Counter[] {
  const { network, all } = loginCounterFamilies(email);
  const seconds = LOGIN_WINDOW_SECONDS;
  return [
    { ...network, who: networkPrefix(ip) ?? "none", seconds },
    { ...all, who: "", seconds },
  ];
}

/**
 * Signs in with email and password (login/email, docs/product.md#72-accounts). Wrong password and unknown address
 * give the same error in the same time. A success clears the counters of failures.
 * @throws ShopError login_failed, too_many_tries
 */
export async function logIn(
  viewer: Viewer,
  { user_email: email, user_password }: LoginInput,
  { device, ip }: ClientInfo,
): Promise<LoginResult> {
  // Attempts beyond a network's limit do not count for the account: one network cannot lock out its owner.
  for (const counter of loginCounters(email, ip))
    await takeRateLimit([counter], { failClosed: true, error: "too_many_tries" });
  const [user] = await db
    .select({ id: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(sql`lower(${users.email}) = ${email} and ${users.deletedAt} is null`);
  if (!(await verifyPassword(user?.passwordHash, user_password)) || !user)
    throw new ShopError("login_failed");
  const session = await startSessionIfPasswordUnchanged(user.id, user.passwordHash, device);
  await clearFailedLogins(email, ip);
  return toLoginResult(viewer, user.id, session);
}

/** Starts the session only while the password is unchanged, because a password change ends the earlier sessions. */
function startSessionIfPasswordUnchanged(userId: string, hash: string | null, device: string) {
  return transaction(async (tx) => {
    const unchanged = await tx
      .select({ id: users.id })
      .from(users)
      .where(sql`${users.id} = ${userId} and ${users.passwordHash} = ${hash} and ${users.deletedAt} is null`)
      .for("share");
    if (unchanged.length === 0) throw new ShopError("login_failed");
    return startSession({ id: userId }, device, tx);
  });
}

/** Clears the failed-login counters of the account and of the network from which its owner has signed in. */
export async function clearFailedLogins(email: string, ip: string): Promise<void> {
  for (const counter of loginCounters(email, ip)) await clearRateLimit(counter);
}

/** Exchanges a refresh token for new tokens (docs/product.md#41-session). @throws ShopError session_ended */
export async function refresh({ refresh_token }: RefreshInput): Promise<SignedIn> {
  const session = await rotateSession(refresh_token);
  return toSignedIn(session.userId, session);
}

/** Ends the current session, also with an expired access token; succeeds without a session. */
export async function logOut(viewer: Viewer, authorization: string | null): Promise<void> {
  if (viewer.kind === "user") await endSession(viewer.sessionId);
  else await endSessionByToken(authorization);
}
