import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { productChanges } from "@/db/schema/merchants";
import { requireNoCode } from "@/lib/delivery/code-text/queries";
import { queueMail } from "@/lib/notifications/commands";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { applyChange, type ChangeRow } from "./commands";
import type { ChangeMoved } from "./contract";

// Staff decide about merchants' changes; the owners learn it by email.

type Decision = "approved" | "returned" | "refused";

/** Locks a change that waits. @throws ShopError change_unknown, change_decided */
async function lockProposed(tx: Tx, id: string): Promise<ChangeRow> {
  const [found] = await tx.select().from(productChanges).where(eq(productChanges.id, id)).for("update");
  if (!found || found.state === "draft") throw new ShopError("change_unknown");
  if (found.state !== "proposed") throw new ShopError("change_decided");
  return found;
}

/** One email to each owner, in their language; the note is read when it is sent. */
async function mailOwners(tx: Tx, { id, merchantId, proposedAt }: ChangeRow, decision: Decision) {
  const owners = await tx.execute<{ id: string; email: string; locale: Locale }>(sql`
    select u.id, u.email, u.locale from merchant_members m join users u on u.id = m.user_id
    where m.merchant_id = ${merchantId} and m.role = 'owner' and m.ended_at is null order by u.id`);
  const event = `change-${decision}` as const;
  for (const owner of owners)
    await queueMail(tx, {
      event,
      to: owner.email,
      locale: owner.locale,
      refs: { changeId: id },
      dedupeKey: `${event}:${id}:${proposedAt?.getTime() ?? 0}:${owner.id}`,
    });
}

/**
 * Approves a change: its line is written as the editor writes it, and is live at once. Of two approvals on one revision the
 * second is refused.
 * @throws ShopError change_unknown, change_decided, revision_conflict, note_has_code, invalid_input with the problems of fields
 */
export async function approveChange(
  { userId }: StaffViewer,
  id: string,
  { note, locale }: { note?: string | undefined; locale: Locale },
): Promise<ChangeMoved> {
  return transaction(async (tx) => {
    await requireNoCode(tx, note);
    const change = await lockProposed(tx, id);
    const revision = await applyChange(tx, change, { decidedBy: userId, note, locale });
    await mailOwners(tx, change, "approved");
    return { change_id: id, state: "approved", revision };
  });
}

/**
 * Returns a change to its merchant, who mends it and proposes it again.
 * @throws ShopError change_unknown, change_decided, note_has_code
 */
export const returnChange = (viewer: StaffViewer, id: string, note: string): Promise<ChangeMoved> =>
  answerChange(viewer, { id, note, decision: "returned" });

/** Refuses a change for good. @throws ShopError change_unknown, change_decided, note_has_code */
export const refuseChange = (viewer: StaffViewer, id: string, note: string): Promise<ChangeMoved> =>
  answerChange(viewer, { id, note, decision: "refused" });

async function answerChange(
  { userId }: StaffViewer,
  { id, note, decision }: { id: string; note: string; decision: "returned" | "refused" },
): Promise<ChangeMoved> {
  return transaction(async (tx) => {
    await requireNoCode(tx, note);
    const change = await lockProposed(tx, id);
    const decidedAt = decision === "refused" ? shopNow : null;
    await tx
      .update(productChanges)
      .set({ state: decision, note, decidedBy: userId, decidedAt, updatedAt: shopNow })
      .where(eq(productChanges.id, id));
    const detail = {
      product: change.productId,
      note,
      before: { state: change.state },
      after: { state: decision },
    };
    await audit({ actor: userId, action: `change.${decision}`, subject: id, detail }, tx);
    await mailOwners(tx, change, decision);
    return { change_id: id, state: decision, revision: null };
  });
}
