import { and, desc, eq, gt, isNull, type SQLWrapper, sql } from "drizzle-orm";
import { db, shopNow } from "@/db/client";
import { sessions } from "@/db/schema/accounts";
import type { UserViewer } from "@/lib/platform/auth/session";
import type { SessionList } from "./contract";

/** The viewer's sessions: the current one first, then by last use. */
export async function listSessions(viewer: UserViewer): Promise<SessionList> {
  const columns = sessionColumns(viewer.sessionId);
  const items = await db
    .select(columns)
    .from(sessions)
    .where(
      and(eq(sessions.userId, viewer.userId), isNull(sessions.revokedAt), gt(sessions.expiresAt, shopNow)),
    )
    .orderBy(desc(columns.current), desc(sessions.seenAt), sessions.id)
    .limit(500);
  return { items, total: items.length };
}

/** A session as its owner sees it; `current`: the session of this id. */
export const sessionColumns = (currentId: string) => ({
  session_id: sessions.id,
  device: sessions.device,
  current: sql<boolean>`${sessions.id} = ${currentId}`,
  created_at: isoTimestampSql(sessions.createdAt),
  seen_at: isoTimestampSql(sessions.seenAt),
});

/** The type of an expression over a column: null where the column may be null. */
export type NullableAs<Source, T> = Source extends { _: { notNull: false } } ? T | null : T;

/** SQL: a timestamp as ISO 8601 in UTC. */
export const isoTimestampSql = <Time extends SQLWrapper>(time: Time | string) =>
  sql<
    NullableAs<Time, string>
  >`to_char(${typeof time === "string" ? sql.raw(time) : time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
