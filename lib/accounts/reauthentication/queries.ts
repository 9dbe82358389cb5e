import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import type { SecurityView } from "@/lib/accounts/profile/contract";
import { REAUTHENTICATION_MINUTES } from "@/lib/accounts/rules";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";

const FRESH = sql`s.reauthenticated_at > shop_now() - make_interval(mins => ${REAUTHENTICATION_MINUTES})`;

/**
 * Before a sensitive change: who asks has proved who they are in this session in the last 15 minutes.
 * @throws ShopError reauthentication_required: `/auth/reauthenticate` first
 */
export async function requireReauthentication({ sessionId, userId }: UserViewer, on: Db = db): Promise<void> {
  const fresh = await on.execute(sql`
    select 1 from sessions s where s.id = ${sessionId} and s.user_id = ${userId} and s.revoked_at is null and ${FRESH}`);
  if (fresh.length === 0) throw new ShopError("reauthentication_required");
}

/** How the viewer can prove who they are, and whether that is needed at the moment. */
export async function getSecurity({ sessionId, userId }: UserViewer): Promise<SecurityView> {
  const [row] = await db.execute<SecurityView>(sql`
    select u.password_hash is not null as has_password, ${FRESH} as proved
    from users u join sessions s on s.user_id = u.id where u.id = ${userId} and s.id = ${sessionId}`);
  if (!row) throw new ShopError("session_ended");
  return row;
}
