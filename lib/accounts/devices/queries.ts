import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import type { UserViewer } from "@/lib/platform/auth/session";
import type { SessionList, SessionView } from "./contract";

/** The viewer's sessions: the current one first, then by last use. */
export async function listSessions(viewer: UserViewer): Promise<SessionList> {
  const items = await db.execute<SessionView>(sql`
    select id as session_id, device, id = ${viewer.sessionId} as current,
      ${isoTimestampSql("created_at")} as created_at, ${isoTimestampSql("seen_at")} as seen_at
    from sessions where user_id = ${viewer.userId} and revoked_at is null and expires_at > shop_now()
    order by id = ${viewer.sessionId} desc, sessions.seen_at desc, id limit 500`);
  return { items: [...items], total: items.length };
}

/** SQL: a timestamp as ISO 8601 in UTC. */
export const isoTimestampSql = (column: string) =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
