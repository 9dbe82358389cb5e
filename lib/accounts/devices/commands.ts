import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { RevokeSessionsInput } from "./contract";

/**
 * Signs out devices of the viewer: one, all others, or all. Their tokens and cookies stop working at once.
 * @throws ShopError session_unknown: another user's session, or an expired one
 */
export async function revokeSessions(viewer: UserViewer, { session_id, all_others }: RevokeSessionsInput) {
  const others = all_others ? sql`id <> ${viewer.sessionId}` : sql`true`;
  const revoked = await db.execute<{ id: string }>(sql`
    update sessions set revoked_at = shop_now()
    where user_id = ${viewer.userId} and revoked_at is null and expires_at > shop_now()
      and ${session_id ? sql`id = ${session_id}` : others} returning id`);
  if (session_id && revoked.length === 0) throw new ShopError("session_unknown");
  return { revoked: revoked.length, signed_out: revoked.some(({ id }) => id === viewer.sessionId) };
}
