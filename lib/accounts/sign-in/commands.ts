import { eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { users } from "@/db/schema/accounts";
import type { LoginInput, RefreshInput, SignedIn } from "@/lib/accounts/contract";
import { LOGIN_TRIES, LOGIN_TRIES_ALL_NETWORKS, LOGIN_WINDOW_SECONDS } from "@/lib/accounts/rules";
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
import { type Counter, clearRateLimit, takeRateLimit } from "@/lib/platform/rate-limit";
import { networkPrefix } from "@/lib/tracking/rules";

/** A fresh session: what the call answers, and the cookie that the browser keeps. */
export type LoginResult = { answer: SignedIn; cookie: string };

/** Signs a user in on a device; the session that asked for it ends, so that its id changes with the rights. */
export async function openSession(viewer: Viewer, userId: string, device: string): Promise<LoginResult> {
  return enter(viewer, userId, await startSession({ id: userId }, device));
}

async function enter(viewer: Viewer, userId: string, session: StartedSession): Promise<LoginResult> {
  if (viewer.kind === "user") await endSession(viewer.sessionId);
  return { answer: await toSignedIn(userId, session), cookie: session.cookie };
}

/** What a sign-in answers. */
export async function toSignedIn(userId: string, { token, refreshToken }: StartedSession): Promise<SignedIn> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  if (!user) throw new ShopError("session_ended");
  return {
    token,
    refresh_token: refreshToken,
    user_id: user.id,
    user_email: user.email,
    username: user.username,
    phone: user.phone,
    country_code: user.countryCode,
  };
}

/** From where somebody comes: the device as it is named in the list of sessions, and the address. */
export type ClientInfo = { device: string; ip: string };

/** Whatever is no address is one network. */
const triesFrom = (email: string, ip: string): Counter => ({
  name: "login:network",
  who: `${email} ${networkPrefix(ip)}`,
  limit: LOGIN_TRIES,
  seconds: LOGIN_WINDOW_SECONDS,
});

const triesOf = (email: string): Counter => ({
  name: "login:account",
  who: email,
  limit: LOGIN_TRIES_ALL_NETWORKS,
  seconds: LOGIN_WINDOW_SECONDS,
});

/**
 * Counts one after the other: what a network tries beyond its own limit does not count for the account, or a stranger
 * could close its owner's door from there (docs/decisions/0061).
 */
async function countTry(email: string, ip: string): Promise<void> {
  const refused = { closed: true, error: "too_many_tries" } as const;
  await takeRateLimit([triesFrom(email, ip)], refused);
  await takeRateLimit([triesOf(email)], refused);
}

/**
 * Signs in with e-mail and password (spec §7 login/email). A wrong password and an unknown address answer alike and
 * take alike; ten failures in fifteen minutes close the account's door to their network, a hundred to all; a success
 * clears them.
 * @throws ShopError login_failed, too_many_tries
 */
export async function logIn(
  viewer: Viewer,
  { user_email: email, user_password }: LoginInput,
  { device, ip }: ClientInfo,
): Promise<LoginResult> {
  await countTry(email, ip);
  const [user] = await db
    .select({ id: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(sql`lower(${users.email}) = ${email} and ${users.deletedAt} is null`);
  if (!(await verifyPassword(user?.passwordHash, user_password)) || !user)
    throw new ShopError("login_failed");
  const session = await startWhilePassword(user.id, user.passwordHash, device);
  await clearFailedLogins(email, ip);
  return enter(viewer, user.id, session);
}

/** A password that is changed while somebody logs in with it opens nothing: the change ends what was there before. */
function startWhilePassword(userId: string, hash: string | null, device: string): Promise<StartedSession> {
  return db.transaction(async (tx) => {
    const same = await tx.execute(
      sql`select 1 from users where id = ${userId} and password_hash = ${hash} and deleted_at is null for share`,
    );
    if (same.length === 0) throw new ShopError("login_failed");
    return startSession({ id: userId }, device, tx);
  });
}

/** Opens the door again that wrong passwords closed, to the network of who has proved whose account it is. */
export async function clearFailedLogins(email: string, ip: string): Promise<void> {
  await Promise.all([clearRateLimit(triesFrom(email, ip)), clearRateLimit(triesOf(email))]);
}

/** Exchanges a refresh token for new tokens (decisions.md "Sessions"). @throws ShopError session_ended */
export async function refresh({ refresh_token }: RefreshInput): Promise<SignedIn> {
  const session = await rotateSession(refresh_token);
  return toSignedIn(session.userId, session);
}

/** Ends the session that asks, also one whose access token is over; nobody is told that there was none. */
export async function logOut(viewer: Viewer, authorization: string | null): Promise<void> {
  if (viewer.kind === "user") await endSession(viewer.sessionId);
  else await endSessionByToken(authorization);
}
