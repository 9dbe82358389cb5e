import { and, eq, isNull, sql } from "drizzle-orm";
import { shopNow, type Tx } from "@/db/client";
import { staffMembers } from "@/db/schema/staff";
import { setRole } from "@/lib/accounts/set-role";
import { queueMail } from "@/lib/notifications/queue-mail";
import { audit } from "@/lib/platform/audit";
import { STAFF_ROLES, type StaffRole } from "@/lib/platform/auth/permissions";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { expireRequestsOf } from "@/lib/staff/approvals/expire-approvals";
import { leaveEverywhere } from "@/lib/staff/factors/enter-staff-mode";
import { type FoundUser, findUserForStaff } from "./list-staff-members";

type Change = { tx: Tx; actor: string; userId: string };

/** Serializes changes of members, so that two revocations cannot leave the shop without an administrator. */
export const lockMembers = (tx: Tx) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('staff members', 0))`);

export const inOrder = (roles: readonly string[]): StaffRole[] =>
  STAFF_ROLES.filter((role) => roles.includes(role));
export const sameRoles = (a: readonly string[], b: readonly string[]) =>
  inOrder(a).join() === inOrder(b).join();

export async function requireUser(tx: Tx, email: string): Promise<FoundUser> {
  await lockMembers(tx);
  const user = await findUserForStaff(email, tx);
  if (!user) throw new ShopError("member_unknown");
  return user;
}

export const losesAdmin = (before: readonly string[], after: readonly string[]) =>
  before.includes("admin") && !after.includes("admin");

/** Gives an account exactly these roles. Its staff mode ends, so that no session keeps other rights. Mails all administrators. */
export async function setRoles(change: Change, before: string[] | null, roles: readonly string[]) {
  const { tx, actor, userId } = change;
  if (losesAdmin(before ?? [], roles)) await requireOtherAdmin(tx, userId);
  await endMembership({ tx, actor, userId });
  if (roles.length > 0)
    await tx
      .insert(staffMembers)
      .values({ id: newId("stm"), userId, roles: inOrder(roles), grantedBy: actor });
  await setRole(tx, userId, roles.length > 0 ? "staff" : "user");
  await expireRequestsOf(tx, userId);
  const left = await leaveEverywhere(tx, userId);
  const detail = { before: before ?? [], after: inOrder(roles), left_staff_mode: left };
  await audit(
    { actor, action: roles.length > 0 ? "staff.granted" : "staff.revoked", subject: userId, detail },
    tx,
  );
  await mailAdministrators(change, before ?? [], inOrder(roles));
}

/** Each administrator learns of every change of roles, also one who has just ceased to be one. */
export async function mailAdministrators(
  { tx, actor, userId }: Change,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const administrators = await tx.execute<{ id: string; email: string; locale: string }>(sql`
    select u.id, u.email, u.locale from users u
    where u.deleted_at is null and ((u.id = ${userId} and ${before.includes("admin")}) or exists (
      select from staff_members m where m.user_id = u.id and m.ended_at is null and 'admin' = any(m.roles)))
    order by u.id`);
  const notice = newId("ntc");
  for (const { id, email: to, locale } of administrators)
    await queueMail(tx, {
      event: "staff-changed",
      to,
      locale,
      refs: { userId, actor, before: inOrder(before).join(), after: inOrder(after).join() },
      dedupeKey: `staff-changed:${notice}:${id}`,
    });
}

export async function endMembership({ tx, actor, userId }: Change): Promise<void> {
  await tx
    .update(staffMembers)
    .set({ endedAt: shopNow, endedBy: actor })
    .where(and(eq(staffMembers.userId, userId), isNull(staffMembers.endedAt)));
}

export async function requireOtherAdmin(tx: Tx, userId: string): Promise<void> {
  const [other] = await tx.execute(sql`
    select 1 from staff_members m join users u on u.id = m.user_id
    where m.ended_at is null and 'admin' = any(m.roles) and m.user_id <> ${userId} and u.role = 'staff' and u.deleted_at is null
    limit 1`);
  if (!other) throw new ShopError("last_admin");
}
