import { eq, sql } from "drizzle-orm";
import { db, shopNow, transaction } from "@/db/client";
import { approvals } from "@/db/schema/staff";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { ApprovedAction } from "@/lib/platform/console/approval";
import { requireShownRow } from "@/lib/platform/console/query";
import { ShopError } from "@/lib/platform/errors";
import type { Decision, DecisionView } from "@/lib/staff/approvals/contract";
import type { ApprovalKind } from "@/lib/staff/rules";
import { APPROVAL_VERSION } from "./list-approvals";

type LockedApproval = {
  kind: ApprovalKind;
  payload: Record<string, unknown>;
  subject: string;
  state: string;
  askedBy: string;
  expired: boolean;
  allowed: boolean;
  canDecide: boolean;
  concerned: boolean;
  /** The person who asked still has a role for it. */
  askerMay: boolean;
  othersCan: boolean;
};

/**
 * Decides an approval and, when it is approved, runs its action in the same transaction. No one decides within 72 hours
 * of their grant, or about a request by the person who granted it; the requester decides only when there was no one
 * else for 72 hours. The database refuses anything else (db/functions/check_approval.sql). The row is locked, so that
 * two people who approve at the same time cause one action. A request by someone who no longer has a role for it has
 * expired.
 * @throws ShopError approval_unknown: none, or one that this person may not decide; approval_decided, own_approval,
 * note_has_code, revision_conflict: what it would change is not as it was shown
 */
export async function decideApproval(
  { userId }: StaffViewer,
  { id, decision, note, version }: Decision,
  actions: Readonly<Record<ApprovalKind, ApprovedAction>>,
): Promise<DecisionView> {
  await requireNoCode(db, note);
  return transaction(async (tx) => {
    const [found] = await tx.execute<LockedApproval>(sql`
      select a.kind, a.payload, a.subject, a.state, a.asked_by as "askedBy", a.expires_at <= shop_now() as expired,
        may_decide_approval(a, ${userId}) as allowed, can_decide_approval(a, ${userId}) as "canDecide",
        a.concerns is not distinct from ${userId} as concerned, may_decide_approval(a, a.asked_by) as "askerMay", has_other_decider(a) as "othersCan"
      from approvals a where a.id = ${id} for update`);
    if (!found?.allowed) throw new ShopError("approval_unknown");
    if (found.state !== "asked" || found.expired || !found.askerMay) throw new ShopError("approval_decided");
    const isOwn = found.askedBy === userId;
    const withdraws = isOwn && decision === "refuse";
    const decides = isOwn ? !found.concerned && (withdraws || !found.othersCan) : found.canDecide;
    if (!decides) throw new ShopError("own_approval");
    await requireShownRow(
      tx,
      { version },
      { version: APPROVAL_VERSION, from: sql`approvals a where a.id = ${id}` },
    );
    const state = decision === "approve" ? "approved" : "refused";
    // Who withdraws a request decides nothing: it expires.
    const outcome = withdraws && found.othersCan ? "expired" : state;
    const decided = outcome !== "expired" && { decidedBy: userId, decidedAt: shopNow, alone: isOwn };
    await tx
      .update(approvals)
      .set({ state: outcome, note: note ?? null, ...decided })
      .where(eq(approvals.id, id));
    const detail = {
      kind: found.kind,
      about: found.subject,
      ...(isOwn && { alone: true }),
      ...(note && { note }),
    };
    await audit({ actor: userId, action: `approval.${outcome}`, subject: id, detail }, tx);
    const people = { askedBy: found.askedBy, decidedBy: userId };
    if (outcome === "approved") await actions[found.kind](tx, found.payload, people);
    return { approval_id: id, state: outcome };
  });
}
