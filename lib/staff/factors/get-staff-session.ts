import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { permissionsOf, STAFF_ROLES } from "@/lib/platform/auth/permissions";
import { STAFF_HOURS, STAFF_IDLE_MINUTES, type UserViewer } from "@/lib/platform/auth/session";
import { instant } from "@/lib/platform/instant";
import type { StaffSessionView } from "@/lib/staff/contract";

type FactorRow = { enrolled: boolean; expiresAt: string | null; codesLeft: number };

/** The rights of a staff member in this session, and the state of the second factor. A merchant's member has no roles. */
export async function getStaffSession({
  userId,
  sessionId,
  staff,
  factor,
}: UserViewer): Promise<StaffSessionView> {
  const [row] = await db.execute<FactorRow>(sql`
    select f.id is not null as enrolled, (
        select s.factor_at + make_interval(hours => ${STAFF_HOURS}) from sessions s where s.id = ${sessionId}) as "expiresAt",
      (select count(*)::int from recovery_codes c where c.factor_id = f.id and c.used_at is null) as "codesLeft"
    from (select 1) one left join second_factors f
      on f.user_id = ${userId} and f.confirmed_at is not null and f.ended_at is null`);
  return {
    roles: STAFF_ROLES.filter((role) => staff?.roles.includes(role)),
    permissions: permissionsOf(staff?.roles ?? []),
    enrolled: row?.enrolled ?? false,
    active: factor.active,
    expires_at: factor.active ? instant(row?.expiresAt ?? null) : null,
    idle_minutes: STAFF_IDLE_MINUTES,
    reauthenticated: factor.reauthenticated,
    recovery_codes_left: row?.codesLeft ?? 0,
  };
}
