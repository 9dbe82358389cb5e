import { and, eq, isNull, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { staffMembers } from "@/db/schema/staff";
import { setRole } from "@/lib/accounts/commands";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { type ApprovalHandlers, approvalRequired, askApproval } from "@/lib/staff/approvals/commands";
import { leaveEverywhere, removeFactor } from "@/lib/staff/factors/commands";
import type { RolesChanged, RolesInput } from "@/lib/staff/members/contract";
import { STAFF_ROLES, type StaffRole } from "@/lib/staff/rules";
import { type FoundUser, findUserForStaff } from "./queries";

type Change = { tx: Tx; actor: string; userId: string };

/** Serializes changes of members, so that two revocations cannot leave the shop without an administrator. */
const lockMembers = (tx: Tx) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('staff members', 0))`);

const inOrder = (roles: readonly string[]): StaffRole[] => STAFF_ROLES.filter((role) => roles.includes(role));
const sameRoles = (a: readonly string[], b: readonly string[]) => inOrder(a).join() === inOrder(b).join();

async function requireUser(tx: Tx, email: string): Promise<FoundUser> {
  await lockMembers(tx);
  const user = await findUserForStaff(email, tx);
  if (!user) throw new ShopError("member_unknown");
  return user;
}

/** Gives an account exactly these roles. Its staff mode ends, so that no session keeps other rights. */
async function setRoles({ tx, actor, userId }: Change, before: string[] | null, roles: readonly string[]) {
  if (before?.includes("admin") && !roles.includes("admin")) await requireOtherAdmin(tx, userId);
  await endMembership({ tx, actor, userId });
  if (roles.length > 0)
    await tx
      .insert(staffMembers)
      .values({ id: newId("stm"), userId, roles: inOrder(roles), grantedBy: actor });
  await setRole(tx, userId, roles.length > 0 ? "staff" : "user");
  const left = await leaveEverywhere(tx, userId);
  const detail = { before: before ?? [], after: inOrder(roles), left_staff_mode: left };
  await audit(
    { actor, action: roles.length > 0 ? "staff.granted" : "staff.revoked", subject: userId, detail },
    tx,
  );
}

async function endMembership({ tx, actor, userId }: Change): Promise<void> {
  await tx
    .update(staffMembers)
    .set({ endedAt: shopNow, endedBy: actor })
    .where(and(eq(staffMembers.userId, userId), isNull(staffMembers.endedAt)));
}

async function requireOtherAdmin(tx: Tx, userId: string): Promise<void> {
  const [other] = await tx.execute(sql`
    select 1 from staff_members m join users u on u.id = m.user_id
    where m.ended_at is null and 'admin' = any(m.roles) and m.user_id <> ${userId} and u.role = 'staff' and u.deleted_at is null
    limit 1`);
  if (!other) throw new ShopError("last_admin");
}

/**
 * Gives the account with this address exactly these roles; none ends its membership. A new administrator needs a second
 * person.
 * @throws ShopError member_unknown: no account has the address, last_admin, approval_required
 */
export async function changeRoles(viewer: StaffViewer, { email, roles }: RolesInput): Promise<RolesChanged> {
  type Outcome = RolesChanged | { approvalId: string };
  const outcome = await transaction(async (tx): Promise<Outcome> => {
    const user = await requireUser(tx, email);
    if (sameRoles(user.roles ?? [], roles)) return { changed: false };
    if (roles.includes("admin") && !user.roles?.includes("admin")) {
      const payload = { user_id: user.userId, roles: inOrder(roles) };
      const request = { kind: "grant_admin", payload, subject: user.email, concerns: user.userId } as const;
      return { approvalId: await askApproval(tx, viewer, request) };
    }
    await setRoles({ tx, actor: viewer.userId, userId: user.userId }, user.roles, roles);
    return { changed: true };
  });
  if ("approvalId" in outcome) throw approvalRequired(outcome.approvalId);
  return outcome;
}

/**
 * Asks a second administrator to remove a person's authenticator app.
 * @throws ShopError member_unknown: no staff member has the address, approval_required
 */
export async function resetFactor(viewer: StaffViewer, email: string): Promise<never> {
  const approvalId = await transaction(async (tx) => {
    const user = await requireUser(tx, email);
    if (!user.roles) throw new ShopError("member_unknown");
    const payload = { user_id: user.userId };
    return askApproval(tx, viewer, {
      kind: "reset_factor",
      payload,
      subject: user.email,
      concerns: user.userId,
    });
  });
  throw approvalRequired(approvalId);
}

/** What approvals about staff members do. */
export const memberApprovals: Pick<ApprovalHandlers, "grant_admin" | "reset_factor"> = {
  async grant_admin(tx, payload, { decidedBy }) {
    await lockMembers(tx);
    const userId = String(payload.user_id);
    await setRoles({ tx, actor: decidedBy, userId }, await findRoles(tx, userId), payload.roles as string[]);
  },
  async reset_factor(tx, payload, { decidedBy }) {
    const userId = String(payload.user_id);
    const detail = { left_staff_mode: await removeFactor(tx, userId) };
    await audit({ actor: decidedBy, action: "second_factor.reset", subject: userId, detail }, tx);
  },
};

async function findRoles(tx: Tx, userId: string): Promise<string[] | null> {
  const [member] = await tx
    .select({ roles: staffMembers.roles })
    .from(staffMembers)
    .where(and(eq(staffMembers.userId, userId), isNull(staffMembers.endedAt)));
  return member?.roles ?? null;
}

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
    await leaveEverywhere(tx, user.userId);
    const detail = { before: user.roles, after: [] };
    await audit({ actor, action: "staff.revoked", subject: user.userId, detail }, tx);
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
