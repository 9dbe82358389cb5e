import { and, eq, isNull, sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { sessions, users } from "@/db/schema/accounts";
import type { SecurityView } from "@/lib/accounts/profile/contract";
import { REAUTHENTICATION_MINUTES } from "@/lib/accounts/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";

const REAUTHENTICATED = sql<boolean>`${sessions.reauthenticatedAt} > shop_now() - make_interval(mins => ${REAUTHENTICATION_MINUTES})`;

/**
 * Guards a sensitive change: this session must have been reauthenticated in the last 15 minutes.
 * @throws ShopError reauthentication_required when the client must call `/auth/reauthenticate` first
 */
export async function requireReauthentication({ sessionId, userId }: UserViewer, tx: Db = db): Promise<void> {
  const isRecent = and(
    eq(sessions.id, sessionId),
    eq(sessions.userId, userId),
    isNull(sessions.revokedAt),
    REAUTHENTICATED,
  );
  if ((await tx.$count(sessions, isRecent)) === 0) throw new ShopError("reauthentication_required");
}

/** Whether the viewer has a password, and whether this session was reauthenticated recently. */
export async function getSecurity({ sessionId, userId }: UserViewer): Promise<SecurityView> {
  const [row] = await db
    .select({ has_password: sql<boolean>`${users.passwordHash} is not null`, proved: REAUTHENTICATED })
    .from(users)
    .innerJoin(sessions, eq(sessions.userId, users.id))
    .where(and(eq(users.id, userId), eq(sessions.id, sessionId)));
  if (!row) throw new ShopError("session_ended");
  return row;
}
