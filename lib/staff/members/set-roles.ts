import type { Tx } from "@/db/client";
import { staffMembers } from "@/db/schema/staff";
import { setRole } from "@/lib/accounts/set-role";
import {
  endMembership,
  lockMembers,
  type MembershipChange,
  mailAdministrators,
  requireOtherAdmin,
} from "@/lib/accounts/staff-membership";
import { audit } from "@/lib/platform/audit";
import { STAFF_ROLES, type StaffRole } from "@/lib/platform/auth/permissions";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { expireRequestsOf } from "@/lib/staff/approvals/expire-approvals";
import { leaveEverywhere } from "@/lib/staff/factors/enter-staff-mode";
import { type FoundUser, findUserForStaff } from "./list-staff-members";

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
export async function setRoles(change: MembershipChange, before: string[] | null, roles: readonly string[]) {
  const { tx, actor, userId } = change;
  if (losesAdmin(before ?? [], roles)) await requireOtherAdmin(tx, userId);
  await endMembership(change);
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
  await mailAdministrators(change, before ?? [], roles);
}
