import { transaction } from "@/db/client";
import { setRole } from "@/lib/accounts/set-role";
import { endMembership, mailAdministrators } from "@/lib/accounts/staff-membership";
import { audit } from "@/lib/platform/audit";
import type { StaffRole } from "@/lib/platform/auth/permissions";
import { ShopError } from "@/lib/platform/errors";
import { expireRequestsOf } from "@/lib/staff/approvals/expire-approvals";
import { leaveEverywhere } from "@/lib/staff/factors/enter-staff-mode";
import { removeFactor } from "@/lib/staff/factors/remove-factor";
import { requireUser, sameRoles, setRoles } from "./set-roles";

/** The same changes from the shell, for the first administrator and emergencies: without a second person. */
export async function grantRolesByOperator(email: string, roles: readonly StaffRole[], actor: string) {
  return transaction(async (tx) => {
    const user = await requireUser(tx, email);
    if (sameRoles(user.roles ?? [], roles)) return { userId: user.userId, changed: false };
    await setRoles({ tx, actor, userId: user.userId }, user.roles, roles);
    return { userId: user.userId, changed: true };
  });
}

/** Also ends the membership of the last administrator, who can be granted again in the shell. */
export async function revokeRolesByOperator(email: string, actor: string): Promise<boolean> {
  return transaction(async (tx) => {
    const user = await requireUser(tx, email);
    if (!user.roles) return false;
    const change = { tx, actor, userId: user.userId };
    await endMembership(change);
    await setRole(tx, user.userId, "user");
    await expireRequestsOf(tx, user.userId);
    await leaveEverywhere(tx, user.userId);
    const detail = { before: user.roles, after: [] };
    await audit({ actor, action: "staff.revoked", subject: user.userId, detail }, tx);
    await mailAdministrators(change, user.roles, []);
    return true;
  });
}

export async function resetFactorByOperator(email: string, actor: string): Promise<void> {
  await transaction(async (tx) => {
    const user = await requireUser(tx, email);
    if (!user.roles) throw new ShopError("member_unknown");
    await removeFactor(tx, user.userId);
    await audit({ actor, action: "second_factor.reset", subject: user.userId }, tx);
  });
}
