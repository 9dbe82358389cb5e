import { sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { ApprovalKind } from "@/lib/staff/rules";

/**
 * Uses up an approval of the action with this payload, whose time is not over, and returns its id; null: there is none.
 * For actions that the person who asked repeats after the approval. It serves once, also for parallel calls: the row is
 * locked, and the entry of the audit log is its use. `by`: an operator, for whom anyone may have asked.
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

/**
 * Whether a second person has approved the action with this payload of the viewer, the time for it is not over, and it was
 * not used. For previews; the action itself uses the approval up (`takeApproval`).
 */
export async function isApproved(
  { userId }: StaffViewer,
  kind: ApprovalKind,
  payload: object,
): Promise<boolean> {
  const [row] = await db.execute<{ id: string }>(sql`
    select id from approvals a where kind = ${kind} and state = 'approved' and asked_by = ${userId}
      and payload = ${JSON.stringify(payload)}::jsonb and expires_at > shop_now()
      and not exists (select from audit_entries e where e.subject = a.id and e.action = 'approval.used') limit 1`);
  return row !== undefined;
}
