import { and, eq, isNull, sql } from "drizzle-orm";
import { z } from "zod";
import { type Tx, transaction } from "@/db/client";
import { staffMembers } from "@/db/schema/staff";
import { lockMembers, requireOtherAdmin } from "@/lib/accounts/staff-membership";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ApprovalNeeded, type ApprovedAction, type ApprovedActions } from "@/lib/platform/console/approval";
import { ShopError } from "@/lib/platform/errors";
import { StaffRoles } from "@/lib/staff/contract";
import { removeFactor } from "@/lib/staff/factors/remove-factor";
import type { RolesChanged, RolesInput } from "@/lib/staff/members/contract";
import type { FoundUser } from "./list-staff-members";
import { inOrder, losesAdmin, requireUser, sameRoles, setRoles } from "./set-roles";

type MemberApproval = "grant_admin" | "grant_roles" | "remove_admin";

/** Locks the account with this address as it was shown. @throws ShopError member_unknown, revision_conflict */
export async function requireShownUser(
  tx: Tx,
  { email, version }: { email: string; version?: string | undefined },
): Promise<FoundUser> {
  const user = await requireUser(tx, email);
  if ((user.version ?? undefined) !== version) throw new ShopError("revision_conflict");
  return user;
}

/**
 * What a change of roles needs a second administrator for; undefined: roles of someone else than an administrator are
 * only taken away.
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
 * @throws ApprovalNeeded; ShopError member_unknown: no account has the address, revision_conflict, last_admin
 */
export async function changeRoles(
  viewer: StaffViewer,
  { roles, ...shown }: RolesInput,
): Promise<RolesChanged> {
  return transaction(async (tx) => {
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
      throw new ApprovalNeeded({ kind, payload, subject: named, ...(concerns && { concerns }) });
    }
    await setRoles({ tx, actor: viewer.userId, userId: user.userId }, before, roles);
    return { changed: true };
  });
}

const RolesChange = z.object({
  user_id: z.string(),
  /** absent from what was asked before it was kept */
  before: StaffRoles.optional(),
  roles: StaffRoles,
});

/** @throws ShopError revision_conflict: the person has other roles than when it was asked, or has closed the account */
const changeApprovedRoles: ApprovedAction = async (tx, payload, { decidedBy }) => {
  await lockMembers(tx);
  const { user_id: userId, before, roles } = RolesChange.parse(payload);
  const [account] = await tx.execute(
    sql`select from users where id = ${userId} and deleted_at is null for no key update`,
  );
  if (!account) throw new ShopError("revision_conflict");
  const present = await findRoles(tx, userId);
  if (before && !sameRoles(before, present ?? [])) throw new ShopError("revision_conflict");
  await setRoles({ tx, actor: decidedBy, userId }, present, roles);
};

/** What approvals about staff members do. */
export const memberApprovals = {
  grant_admin: changeApprovedRoles,
  grant_roles: changeApprovedRoles,
  remove_admin: changeApprovedRoles,
  async reset_factor(tx, payload, { decidedBy }) {
    const userId = String(payload.user_id);
    const detail = { left_staff_mode: await removeFactor(tx, userId) };
    await audit({ actor: decidedBy, action: "second_factor.reset", subject: userId, detail }, tx);
  },
} satisfies ApprovedActions;

async function findRoles(tx: Tx, userId: string): Promise<string[] | null> {
  const [member] = await tx
    .select({ roles: staffMembers.roles })
    .from(staffMembers)
    .where(and(eq(staffMembers.userId, userId), isNull(staffMembers.endedAt)));
  return member?.roles ?? null;
}
