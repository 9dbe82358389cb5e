import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { approvals } from "@/db/schema/staff";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import {
  APPROVAL_HOURS,
  APPROVAL_KINDS,
  type ApprovalKind,
  permissionRule,
  type StaffRole,
} from "@/lib/staff/rules";

export type ApprovalRequest = {
  kind: ApprovalKind;
  /** What the handler of the kind needs. Never a secret. */
  payload: Record<string, unknown>;
  subject: string;
  /** The user whom the action concerns, who never decides about it. */
  concerns?: string;
  /** The roles that may decide, where not all roles with the permission may. */
  roles?: readonly StaffRole[];
};

/** The error of an action that waits for a second person; the approval's id is its field. Thrown after the commit. */
export const approvalRequired = (id: string) =>
  new ShopError("approval_required", { issues: [{ path: "approval_id", message: id }] });

/** Asks a second person to decide, in the transaction of the action. The same open request is asked once. Returns its id. */
export async function askApproval(
  tx: Tx,
  { userId }: StaffViewer,
  { kind, payload, subject, concerns, roles }: ApprovalRequest,
): Promise<string> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`approval ${kind} ${subject}`}, 0))`);
  const [open] = await tx
    .select({ id: approvals.id })
    .from(approvals)
    .where(
      and(
        eq(approvals.kind, kind),
        eq(approvals.subject, subject),
        eq(approvals.state, "asked"),
        sql`${approvals.payload} = ${JSON.stringify(payload)}::jsonb`,
        sql`${approvals.expiresAt} > shop_now()`,
      ),
    );
  if (open) return open.id;
  const id = newId("apr");
  await tx.insert(approvals).values({
    id,
    kind,
    payload,
    subject,
    concerns: concerns ?? null,
    askedBy: userId,
    roles: [...(roles ?? permissionRule(APPROVAL_KINDS[kind]).roles)],
    expiresAt: sql`shop_now() + make_interval(hours => ${APPROVAL_HOURS})`,
  });
  await audit({ actor: userId, action: "approval.asked", subject: id, detail: { kind, about: subject } }, tx);
  return id;
}
