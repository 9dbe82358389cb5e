import { and, eq, isNull, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { sessions } from "@/db/schema/accounts";
import { REAUTHENTICATION_MINUTES } from "@/lib/accounts/rules";
import { audit } from "@/lib/platform/audit";
import { STAFF_HOURS, STAFF_IDLE_MINUTES, type UserViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { StaffSessionView } from "@/lib/staff/contract";
import { checkCode, checked } from "./check-code";
import { getStaffSession } from "./get-staff-session";

/** A sign-in of the last minutes counts as the password of a reauthentication. */
export async function startStaffMode(tx: Tx, { sessionId }: UserViewer): Promise<void> {
  const isFresh = sql`${sessions.createdAt} > shop_now() - make_interval(mins => ${REAUTHENTICATION_MINUTES})`;
  const started = await tx
    .update(sessions)
    .set({
      factorAt: shopNow,
      staffSeenAt: shopNow,
      staffReauthenticatedAt: sql`case when ${isFresh} then shop_now() end`,
    })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revokedAt)))
    .returning({ id: sessions.id });
  if (started.length === 0) throw new ShopError("session_ended");
}

const NO_STAFF_MODE = { factorAt: null, staffSeenAt: null, staffReauthenticatedAt: null };

/** Ends staff mode in all sessions of a person. Returns in how many it had not ended before. */
export async function leaveEverywhere(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count from sessions
    where user_id = ${userId} and revoked_at is null and expires_at > shop_now()
      and factor_at > shop_now() - make_interval(hours => ${STAFF_HOURS})
      and staff_seen_at > shop_now() - make_interval(mins => ${STAFF_IDLE_MINUTES})`);
  await tx.update(sessions).set(NO_STAFF_MODE).where(eq(sessions.userId, userId));
  return row!.count;
}

/**
 * Starts staff mode with a code of the authenticator app or a recovery code. The session is one of staff for 12 hours, and
 * until 30 minutes pass without use.
 * @throws ShopError second_factor_missing: none is set up, code_wrong, too_many_tries: the factor is locked
 */
export async function enterStaffMode(viewer: UserViewer, code: string): Promise<StaffSessionView> {
  const { userId } = viewer;
  checked(
    await transaction(async (tx) => {
      const outcome = await checkCode(tx, userId, code, { confirmed: true });
      if (outcome.kind !== "right") return outcome;
      await startStaffMode(tx, viewer);
      const detail = outcome.recovery ? { with: "recovery code" } : undefined;
      const action = viewer.staff ? "staff.entered" : "merchant.entered";
      await audit({ actor: userId, action, subject: userId, detail }, tx);
      return { kind: "done", value: true } as const;
    }),
  );
  return getStaffSession(await withCurrentRights(viewer));
}

/** The viewer as the database knows it after staff mode has started. */
async function withCurrentRights(viewer: UserViewer): Promise<UserViewer> {
  const [row] = await db.execute<{ reauthenticated: boolean }>(
    sql`select staff_reauthenticated_at is not null as reauthenticated from sessions where id = ${viewer.sessionId}`,
  );
  const reauthenticated = row?.reauthenticated ?? false;
  const factor = { active: true, reauthenticated, due: false };
  return { ...viewer, factor, staff: viewer.staff && { ...viewer.staff, ...factor } };
}

/** Ends staff mode in this session, which stays signed in. */
export async function leaveStaffMode({ sessionId, userId, factor, staff }: UserViewer): Promise<void> {
  await transaction(async (tx) => {
    await tx.update(sessions).set(NO_STAFF_MODE).where(eq(sessions.id, sessionId));
    const action = staff ? "staff.left" : "merchant.left";
    if (factor.active) await audit({ actor: userId, action, subject: userId }, tx);
  });
}
