import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { users } from "@/db/schema/accounts";
import type { RefreshInput, SignedIn } from "@/lib/accounts/contract";
import { accountFields } from "@/lib/accounts/get-account";
import {
  endSession,
  endSessionByToken,
  rotateSession,
  type StartedSession,
  startSession,
  type Viewer,
} from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";

export type LoginResult = { response: SignedIn; cookie: string };

/** Signs a user in on a device and ends the previous session, so that the session id changes with the rights. */
export async function openSession(viewer: Viewer, userId: string, device: string): Promise<LoginResult> {
  return toLoginResult(viewer, userId, await startSession({ id: userId }, device));
}

export async function toLoginResult(
  viewer: Viewer,
  userId: string,
  session: StartedSession,
): Promise<LoginResult> {
  if (viewer.kind === "user") await endSession(viewer.sessionId);
  return { response: await toSignedIn(userId, session), cookie: session.cookie };
}

export async function toSignedIn(userId: string, { token, refreshToken }: StartedSession): Promise<SignedIn> {
  const [user] = await db.select().from(users).where(eq(users.id, userId));
  if (!user) throw new ShopError("session_ended");
  return { token, refresh_token: refreshToken, ...accountFields(user) };
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
