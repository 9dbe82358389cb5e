import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import type { SecurityView } from "@/lib/accounts/profile/contract";
import { REAUTHENTICATION_MINUTES } from "@/lib/accounts/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";

const REAUTHENTICATED = sql`s.reauthenticated_at > shop_now() - make_interval(mins => ${REAUTHENTICATION_MINUTES})`;

/**
 * Guards a sensitive change: this session must have been reauthenticated in the last 15 minutes.
 * @throws ShopError reauthentication_required when the client must call `/auth/reauthenticate` first
 */
export async function requireReauthentication({ sessionId, userId }: UserViewer, tx: Db = db): Promise<void> {
  const recent = await tx.execute(sql`
    select 1 from sessions s where s.id = ${sessionId} and s.user_id = ${userId} and s.revoked_at is null and ${REAUTHENTICATED}`);
  if (recent.length === 0) throw new ShopError("reauthentication_required");
}

/** Whether the viewer has a password, and whether this session was reauthenticated recently. */
export async function getSecurity({ sessionId, userId }: UserViewer): Promise<SecurityView> {
  const [row] = await db.execute<SecurityView>(sql`
    select u.password_hash is not null as has_password, ${REAUTHENTICATED} as proved
    from users u join sessions s on s.user_id = u.id where u.id = ${userId} and s.id = ${sessionId}`);
  if (!row) throw new ShopError("session_ended");
  return row;
}
