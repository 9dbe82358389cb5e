import { type SQL, sql } from "drizzle-orm";
import { type Db, db, type Tx } from "@/db/client";
import type { UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { RevokeSessionsInput } from "./contract";

/**
 * Signs out devices of the viewer: one, all others, or all. Their tokens and cookies stop working immediately.
 * @throws ShopError session_unknown: another user's session, or an expired one
 */
export async function revokeSessions(viewer: UserViewer, { session_id, all_others }: RevokeSessionsInput) {
  const others = all_others ? sql`id <> ${viewer.sessionId}` : sql`true`;
  const revoked = await revokeLive(
    db,
    viewer.userId,
    session_id === undefined ? others : sql`id = ${session_id}`,
  );
  if (session_id && revoked.length === 0) throw new ShopError("session_unknown");
  return { revoked: revoked.length, signed_out: revoked.some(({ id }) => id === viewer.sessionId) };
}

/**
 * Signs out one device of an account, or all. Returns their number.
 * @throws ShopError session_unknown: nothing is signed in any more
 */
export async function endSessionsOf(tx: Tx, userId: string, sessionId?: string): Promise<number> {
  const revoked = await revokeLive(tx, userId, sessionId === undefined ? sql`true` : sql`id = ${sessionId}`);
  if (revoked.length === 0) throw new ShopError("session_unknown");
  return revoked.length;
}

/** Signs out all devices of an account. Returns their number, which may be 0. */
export const endAllSessionsOf = async (tx: Tx, userId: string): Promise<number> =>
  (await revokeLive(tx, userId, sql`true`)).length;

const revokeLive = (tx: Db, userId: string, which: SQL) =>
  tx.execute<{ id: string }>(sql`
    update sessions set revoked_at = shop_now()
    where user_id = ${userId} and revoked_at is null and expires_at > shop_now() and ${which} returning id`);
