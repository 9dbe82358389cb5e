import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { shopNow, type Tx, transaction } from "@/db/client";
import { staffMembers } from "@/db/schema/staff";
import { setRole } from "@/lib/accounts/set-role";
import { queueMail } from "@/lib/notifications/queue-mail";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import {
  type ApprovalHandler,
  type ApprovalHandlers,
  approvalRequired,
  askApproval,
  expireRequestsOf,
} from "@/lib/staff/approvals/commands";
import { StaffRoles } from "@/lib/staff/contract";
import { leaveEverywhere, removeFactor } from "@/lib/staff/factors/commands";
import type { MemberInput, RolesChanged, RolesInput } from "@/lib/staff/members/contract";
import { STAFF_ROLES, type StaffRole } from "@/lib/staff/rules";
import { type FoundUser, findUserForStaff } from "./queries";

type MemberApproval = "grant_admin" | "grant_roles" | "remove_admin";
type Change = { tx: Tx; actor: string; userId: string };

/** Serializes changes of members, so that two revocations cannot leave the shop without an administrator. */
const lockMembers = (tx: Tx) =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('staff members', 0))`);

const inOrder = (roles: readonly string[]): StaffRole[] => STAFF_ROLES.filter((role) => roles.includes(role));
const sameRoles = (a: readonly string[], b: readonly string[]) => inOrder(a).join() === inOrder(b).join();

/** Locks the account with this address as it was shown. @throws ShopError member_unknown, revision_conflict */
async function requireShownUser(
  tx: Tx,
  { email, version }: { email: string; version?: string | undefined },
): Promise<FoundUser> {
  const user = await requireUser(tx, email);
  if ((user.version ?? undefined) !== version) throw new ShopError("revision_conflict");
  return user;
}

async function requireUser(tx: Tx, email: string): Promise<FoundUser> {
  await lockMembers(tx);
  const user = await findUserForStaff(email, tx);
  if (!user) throw new ShopError("member_unknown");
  return user;
}

const losesAdmin = (before: readonly string[], after: readonly string[]) =>
  before.includes("admin") && !after.includes("admin");

/** Gives an account exactly these roles. Its staff mode ends, so that no session keeps other rights. Mails all administrators. */
async function setRoles(change: Change, before: string[] | null, roles: readonly string[]) {
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
async function mailAdministrators(
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
 * What a change of roles needs a second administrator for; undefined: roles of somebody else than an administrator are only
 * taken away.
 */
function approvalKindOf(before: readonly string[], roles: readonly string[]): MemberApproval | undefined {
  const granted = roles.filter((role) => !before.includes(role));
  if (granted.includes("admin")) return "grant_admin";
  if (losesAdmin(before, roles)) return "remove_admin";
  return granted.length > 0 ? "grant_roles" : undefined;
}

/**
 * Gives the account with this address exactly these roles; none ends its membership. What grants a role, or removes an
 * administrator, needs a second one.
 * @throws ShopError member_unknown: no account has the address, revision_conflict, last_admin, approval_required
 */
export async function changeRoles(
  viewer: StaffViewer,
  { roles, ...shown }: RolesInput,
): Promise<RolesChanged> {
  type Outcome = RolesChanged | { approvalId: string };
  const outcome = await transaction(async (tx): Promise<Outcome> => {
    const user = await requireShownUser(tx, shown);
    const before = inOrder(user.roles ?? []);
    if (sameRoles(before, roles)) return { changed: false };
    const kind = approvalKindOf(before, roles);
    if (kind) {
      if (losesAdmin(before, roles)) await requireOtherAdmin(tx, user.userId);
      const payload = { user_id: user.userId, before, roles: inOrder(roles) };
      const named =
        kind === "grant_admin" ? user.email : `${user.email}: ${inOrder(roles).join(", ") || "–"}`;
      // Where there are two administrators, the other one decides also about their own roles.
      const concerns = before.includes("admin") ? undefined : user.userId;
      return { approvalId: await askApproval(tx, viewer, { kind, payload, subject: named, concerns }) };
    }
    await setRoles({ tx, actor: viewer.userId, userId: user.userId }, before, roles);
    return { changed: true };
  });
  if ("approvalId" in outcome) throw approvalRequired(outcome.approvalId);
  return outcome;
}

/**
 * Asks a second administrator to remove a person's authenticator app.
 * @throws ShopError member_unknown: no staff member has the address, revision_conflict, approval_required
 */
export async function resetFactor(viewer: StaffViewer, shown: MemberInput): Promise<never> {
  const approvalId = await transaction(async (tx) => {
    const user = await requireShownUser(tx, shown);
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

const RolesChange = z.object({
  user_id: z.string(),
  /** absent from what was asked before it was kept */
  before: StaffRoles.optional(),
  roles: StaffRoles,
});

/** @throws ShopError revision_conflict: the person has other roles than when it was asked */
const changeApprovedRoles: ApprovalHandler = async (tx, payload, { decidedBy }) => {
  await lockMembers(tx);
  const { user_id: userId, before, roles } = RolesChange.parse(payload);
  const present = await findRoles(tx, userId);
  if (before && !sameRoles(before, present ?? [])) throw new ShopError("revision_conflict");
  await setRoles({ tx, actor: decidedBy, userId }, present, roles);
};

/** What approvals about staff members do. */
export const memberApprovals: Pick<ApprovalHandlers, MemberApproval | "reset_factor"> = {
  grant_admin: changeApprovedRoles,
  grant_roles: changeApprovedRoles,
  remove_admin: changeApprovedRoles,
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
