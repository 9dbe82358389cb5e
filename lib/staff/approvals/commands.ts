import { and, eq, type SQL, sql } from "drizzle-orm";
import { db, shopNow, type Tx, transaction } from "@/db/client";
import { approvals } from "@/db/schema/staff";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { requireShownRow } from "@/lib/platform/console/query";
import { newId } from "@/lib/platform/crypto/ids";
import { ShopError } from "@/lib/platform/errors";
import type { Decision, DecisionView } from "@/lib/staff/approvals/contract";
import { APPROVAL_VERSION } from "@/lib/staff/approvals/queries";
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

/** What an approval does, run in the transaction of the decision. It calls no provider; it may queue a job. */
export type ApprovalHandler = (
  tx: Tx,
  payload: Record<string, unknown>,
  people: { askedBy: string; decidedBy: string },
) => Promise<void>;
export type ApprovalHandlers = Readonly<Record<ApprovalKind, ApprovalHandler>>;

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

/**
 * Uses up an approval of the action with this payload, whose time is not over, and returns its id; null: there is none. For
 * actions that the person who asked repeats after the approval. It serves once, also for parallel calls: the row is locked,
 * and the entry of the audit log is its use. `by`: an operator, for whom anybody may have asked.
 */
export async function takeApproval(
  tx: Tx,
  person: { userId: string } | { by: string },
  kind: ApprovalKind,
  payload: object,
): Promise<string | null> {
  const isOwn = "userId" in person ? sql`asked_by = ${person.userId}` : sql`true`;
  const approved = await tx.execute<{ id: string }>(sql`
    select id from approvals where kind = ${kind} and state = 'approved' and ${isOwn}
      and payload = ${JSON.stringify(payload)}::jsonb and expires_at > shop_now()
    order by decided_at, id for update`);
  for (const { id } of approved) {
    const used = await tx.execute(
      sql`select from audit_entries where subject = ${id} and action = 'approval.used' limit 1`,
    );
    if (used.length > 0) continue;
    const actor = "userId" in person ? person.userId : person.by;
    await audit({ actor, action: "approval.used", subject: id, detail: { kind } }, tx);
    return id;
  }
  return null;
}

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
 * Decides an approval and, when it is approved, runs its action in the same transaction. Nobody decides within 72 hours of
 * their grant, nor what was asked by who granted them; the person who asked decides only where there was no other for 72
 * hours. The database refuses anything else (db/functions/check_approval.sql). The row is locked, so that two people who
 * approve at the same time cause one action. A request of somebody who no longer has a role for it has expired.
 * @throws ShopError approval_unknown: none, or one that this person may not decide; approval_decided, own_approval,
 *   note_has_code, revision_conflict: what it would change is not as it was shown
 */
export async function decideApproval(
  { userId }: StaffViewer,
  { id, decision, note, version }: Decision,
  handlers: ApprovalHandlers,
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
    if (outcome === "approved") await handlers[found.kind](tx, found.payload, people);
    return { approval_id: id, state: outcome };
  });
}

/** Ends the approvals that nobody decided in time, and those of people who no longer have a role to ask for them. */
export async function expireApprovals(): Promise<void> {
  await transaction((tx) =>
    expireWhere(tx, sql`expires_at <= shop_now() or not may_decide_approval(a, a.asked_by)`),
  );
}

/** Ends the requests of a person whose roles have changed, where none of the remaining ones would allow them. */
export const expireRequestsOf = (tx: Tx, userId: string): Promise<void> =>
  expireWhere(tx, sql`a.asked_by = ${userId} and not may_decide_approval(a, ${userId})`);

async function expireWhere(tx: Tx, condition: SQL): Promise<void> {
  const expired = await tx.execute<{ id: string }>(sql`
    update approvals a set state = 'expired' where a.state = 'asked' and (${condition}) returning a.id`);
  for (const { id } of expired) await audit({ actor: "system", action: "approval.expired", subject: id }, tx);
}
