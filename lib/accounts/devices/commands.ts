import { and, eq, gt, isNull, ne } from "drizzle-orm";
import { db, shopNow } from "@/db/client";
import { sessions } from "@/db/schema/accounts";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { RevokeSessionsInput } from "./contract";

/**
 * Signs out devices of the viewer: one, all others, or all. Their tokens and cookies stop working at once.
 * @throws ShopError session_unknown: another user's session, or an expired one
 */
export async function revokeSessions(viewer: UserViewer, { session_id, all_others }: RevokeSessionsInput) {
  const others = all_others ? ne(sessions.id, viewer.sessionId) : undefined;
  const revoked = await db
    .update(sessions)
    .set({ revokedAt: shopNow })
    .where(
      and(
        eq(sessions.userId, viewer.userId),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, shopNow),
        session_id ? eq(sessions.id, session_id) : others,
      ),
    )
    .returning({ id: sessions.id });
  if (session_id && revoked.length === 0) throw new ShopError("session_unknown");
  return { revoked: revoked.length, signed_out: revoked.some(({ id }) => id === viewer.sessionId) };
}
