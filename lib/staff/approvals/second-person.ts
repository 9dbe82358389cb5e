import { and, eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { approvals } from "@/db/schema/staff";
import { audit } from "@/lib/platform/audit";
import { permissionRule } from "@/lib/platform/auth/permissions";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { Approval, ApprovalRequest } from "@/lib/platform/console/approval";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import { APPROVAL_HOURS, APPROVAL_KINDS, type ApprovalKind } from "@/lib/staff/rules";

/**
 * Declares what a second person decides about in a call: `approval: secondPerson("goodwill")`. The action says when it needs
 * one (`ApprovalNeeded`), from which limit on stands in `PERMISSIONS`, and what an approval then does in
 * lib/staff/approved-actions.ts.
 */
export const secondPerson = (...kinds: ApprovalKind[]): Approval => ({
  kinds,
  async ask(viewer, request) {
    const kind = kinds.find((declared) => declared === request.kind);
    if (!kind) throw new Error(`the call does not declare that it needs a second person for ${request.kind}`);
    const id = await transaction((tx) => askApproval(tx, viewer, { ...request, kind }));
    throw new ShopError("approval_required", { issues: [{ path: "approval_id", message: id }] });
  },
});

/** Keeps a request. The same open one is kept once. Returns its id. */
async function askApproval(
  tx: Tx,
  { userId }: StaffViewer,
  { kind, payload, subject, concerns, roles, entry }: ApprovalRequest & { kind: ApprovalKind },
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
  if (entry) await audit({ ...entry, actor: userId, detail: { approval_id: id, ...entry.detail } }, tx);
  return id;
}
