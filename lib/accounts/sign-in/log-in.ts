import { sql } from "drizzle-orm";
import { db, transaction } from "@/db/client";
import { users } from "@/db/schema/accounts";
import type { LoginInput } from "@/lib/accounts/contract";
import { loginCounterFamilies } from "@/lib/accounts/locks/sign-in-locks";
import { LOGIN_WINDOW_SECONDS } from "@/lib/accounts/rules";
import { verifyPassword } from "@/lib/platform/auth/password";
import { startSession, type Viewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { networkPrefix } from "@/lib/platform/http/ip";
import { type Counter, clearRateLimit, takeRateLimit } from "@/lib/platform/rate-limit";
import { type LoginResult, toLoginResult } from "./open-session";

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
