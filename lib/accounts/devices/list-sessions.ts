import { and, desc, eq, gt, isNull, type SQLWrapper, sql } from "drizzle-orm";
import { db, shopNow } from "@/db/client";
import { sessions } from "@/db/schema/accounts";
import type { UserViewer } from "@/lib/platform/auth/session";
import type { SessionList } from "./contract";

/** The viewer's sessions: the current one first, then by last use. */
export async function listSessions({ userId, sessionId }: UserViewer): Promise<SessionList> {
  const current = sql<boolean>`${sessions.id} = ${sessionId}`;
  const items = await db
    .select({
      session_id: sessions.id,
      device: sessions.device,
      current,
      created_at: isoTimestampSql(sessions.createdAt),
      seen_at: isoTimestampSql(sessions.seenAt),
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, shopNow)))
    .orderBy(desc(current), desc(sessions.seenAt), sessions.id)
    .limit(500);
  return { items, total: items.length };
}

/** SQL: a timestamp as ISO 8601 in UTC. */
export const isoTimestampSql = (time: SQLWrapper) =>
  sql<string>`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
