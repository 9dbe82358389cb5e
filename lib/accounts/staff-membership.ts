import { and, eq, isNull, sql } from "drizzle-orm";
import { shopNow, type Tx } from "@/db/client";
import { staffMembers } from "@/db/schema/staff";
import { queueMail } from "@/lib/notifications/queue-mail";
import { audit } from "@/lib/platform/audit";
import { STAFF_ROLES } from "@/lib/platform/auth/permissions";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";

/** `actor`: who changes the membership of `userId`. */
export type MembershipChange = { tx: Tx; actor: string; userId: string };

/** Serializes changes of members, so that two revocations cannot leave the shop without an administrator. */
export const lockMembers = (tx: Tx) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('staff members', 0))`);

/** @throws ShopError last_admin: nobody else is an administrator */
export async function requireOtherAdmin(tx: Tx, userId: string): Promise<void> {
  const [other] = await tx.execute(sql`
    select 1 from staff_members m join users u on u.id = m.user_id
    where m.ended_at is null and 'admin' = any(m.roles) and m.user_id <> ${userId} and u.role = 'staff' and u.deleted_at is null
    limit 1`);
  if (!other) throw new ShopError("last_admin");
}

/** Ends the membership. Returns its roles; null: there was none. */
export async function endMembership({ tx, actor, userId }: MembershipChange): Promise<string[] | null> {
  const [ended] = await tx
    .update(staffMembers)
    .set({ endedAt: shopNow, endedBy: actor })
    .where(and(eq(staffMembers.userId, userId), isNull(staffMembers.endedAt)))
    .returning({ roles: staffMembers.roles });
  return ended?.roles ?? null;
}

/**
 * Ends the membership of an account that its owner deletes, after `lockMembers`. Returns its roles; null: there was none.
 * @throws ShopError last_admin
 */
export async function leaveStaff(tx: Tx, userId: string): Promise<string[] | null> {
  const roles = await endMembership({ tx, actor: userId, userId });
  if (!roles) return null;
  if (roles.includes("admin")) await requireOtherAdmin(tx, userId);
  const detail = { before: roles, after: [] };
  await audit({ actor: userId, action: "staff.revoked", subject: userId, detail }, tx);
  return roles;
}

/** Each administrator learns of every change of roles, also one who has just ceased to be one. */
export async function mailAdministrators(
  { tx, actor, userId }: MembershipChange,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const administrators = await tx.execute<{ id: string; email: string; locale: string }>(sql`
    select u.id, u.email, u.locale from users u
    where u.deleted_at is null and ((u.id = ${userId} and ${before.includes("admin")}) or exists (
      select from staff_members m where m.user_id = u.id and m.ended_at is null and 'admin' = any(m.roles)))
    order by u.id`);
  const notice = newId("ntc");
  const listed = (roles: readonly string[]) => STAFF_ROLES.filter((role) => roles.includes(role)).join();
  for (const { id, email: to, locale } of administrators)
    await queueMail(tx, {
      event: "staff-changed",
      to,
      locale,
      refs: { userId, actor, before: listed(before), after: listed(after) },
      dedupeKey: `staff-changed:${notice}:${id}`,
    });
}
