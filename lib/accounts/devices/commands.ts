import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { RevokeSessionsInput, SessionsRevoked } from "./contract";

/**
 * Signs out devices of the viewer: one, all others, or all. Their tokens and cookies stop working at once.
 * @throws ShopError session_unknown: another user's session, or an expired one
 */
export async function revokeSessions(
  viewer: UserViewer,
  { session_id, all_others }: RevokeSessionsInput,
): Promise<SessionsRevoked> {
  const chosen = session_id
    ? sql`and id = ${session_id}`
    : all_others
      ? sql`and id <> ${viewer.sessionId}`
      : sql``;
  const ended = await db.execute<{ id: string }>(sql`
    update sessions set revoked_at = shop_now()
    where user_id = ${viewer.userId} and revoked_at is null and expires_at > shop_now() ${chosen} returning id`);
  if (session_id && ended.length === 0) throw new ShopError("session_unknown");
  return { revoked: ended.length, signed_out: ended.some(({ id }) => id === viewer.sessionId) };
}
