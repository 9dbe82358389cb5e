import { sql } from "drizzle-orm";
import { type Db, db } from "@/db/client";
import { STAFF_ROLES } from "@/lib/platform/auth/permissions";
import { versionSql } from "@/lib/platform/console/query";
import { instant } from "@/lib/platform/instant";
import { normalizeEmail } from "@/lib/platform/mail/address";
import type { StaffMemberList, StaffMemberView } from "@/lib/staff/members/contract";

/** SQL: the confirmed authenticator app of a user. */
const factorSql = (userId: string) =>
  sql.raw(`(select f.id from second_factors f
    where f.user_id = ${userId} and f.confirmed_at is not null and f.ended_at is null)`);

/** SQL: the version of a membership `m`, and the authenticator app of its member. */
const MEMBER_VERSION = versionSql(sql`m.id`, sql`m.roles`, factorSql("m.user_id"));

/** All staff members, administrators first. There are few. */
export async function listStaffMembers(): Promise<StaffMemberList> {
  const items = await db.execute<StaffMemberView>(sql`
    select u.id as user_id, u.email, u.username, m.roles, coalesce(g.email, m.granted_by) as granted_by,
      m.created_at as since,
      ${factorSql("u.id")} is not null as enrolled, ${MEMBER_VERSION} as version,
      (select max(s.staff_seen_at) from sessions s where s.user_id = u.id) as last_seen
    from staff_members m join users u on u.id = m.user_id left join users g on g.id = m.granted_by
    where m.ended_at is null and u.role = 'staff' and u.deleted_at is null
    order by 'admin' = any(m.roles) desc, lower(u.email)`);
  return {
    items: items.map((item) => ({ ...item, since: instant(item.since), last_seen: instant(item.last_seen) })),
    total: items.length,
  };
}

/** `roles`, `version`: null when the account is not staff. */
export type FoundUser = { userId: string; email: string; roles: string[] | null; version: string | null };

/** The live account with an address, and its staff roles. */
export async function findUserForStaff(email: string, tx: Db = db): Promise<FoundUser | null> {
  const [row] = await tx.execute<FoundUser>(sql`
    select u.id as "userId", u.email, m.roles, case when m.id is not null then ${MEMBER_VERSION} end as version
    from users u left join staff_members m on m.user_id = u.id and m.ended_at is null and u.role = 'staff'
    where lower(u.email) = ${normalizeEmail(email)} and u.deleted_at is null`);
  return row ?? null;
}

/** The email about a change of roles, from its references. `person`: null: the account was deleted. */
export async function findRolesNotice({
  userId,
  actor,
  before,
  after,
}: Record<"userId" | "actor" | "before" | "after", unknown>) {
  const [row] = await db.execute<{ person: string | null; by: string | null }>(sql`
    select case when u.deleted_at is null then u.email end as person,
      (select a.email from users a where a.id = ${String(actor)}) as by
    from users u where u.id = ${String(userId)}`);
  const roles = (names: unknown) => STAFF_ROLES.filter((role) => String(names).split(",").includes(role));
  return row
    ? { person: row.person, by: row.by ?? String(actor), before: roles(before), after: roles(after) }
    : null;
}
