import { eq, sql } from "drizzle-orm";
import { shopNow, type Tx, transaction } from "@/db/client";
import { productChanges } from "@/db/schema/merchants";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { mailOwners } from "@/lib/merchants/states/change-state";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import type { Locale } from "@/lib/platform/i18n/locales";
import { applyChange } from "./apply-change";
import { CHANGE_VERSION } from "./change-version";
import type { ChangeRow } from "./check-change";
import type { ChangeMoved } from "./contract";
import { rebaseProposed } from "./rebase-change";

// Staff decide about merchants' changes; the owners learn it by email.

type Decision = "approved" | "returned" | "refused";

/** Locks a change that waits, and its product. @throws ShopError change_unknown, change_decided, revision_conflict */
async function lockProposed(tx: Tx, id: string, seen: SeenVersion): Promise<ChangeRow> {
  const [found] = await tx.select().from(productChanges).where(eq(productChanges.id, id)).for("update");
  if (!found || found.state === "draft") throw new ShopError("change_unknown");
  if (found.state !== "proposed") throw new ShopError("change_decided");
  if (found.productId !== null)
    await tx.execute(sql`select from products where id = ${found.productId} for no key update`);
  await requireShownRow(tx, seen, {
    version: CHANGE_VERSION,
    from: sql`product_changes c where c.id = ${id}`,
  });
  return found;
}

/** One email to each owner, in their language; the note is read when it is sent. */
function mailDecision(tx: Tx, { id, merchantId, proposedAt }: ChangeRow, decision: Decision) {
  const event = `change-${decision}` as const;
  const mail = {
    event,
    notice: "decisions" as const,
    refs: { changeId: id },
    about: `${id}:${proposedAt?.getTime() ?? 0}`,
  };
  return mailOwners(tx, merchantId, mail);
}

type Approval = SeenVersion & { note?: string | undefined; locale: Locale };

/**
 * Approves a change: its record is written as by the editor and is live immediately. What the shop has changed in other
 * fields stays; in the same fields the change wins, because the decider has seen both values.
 * @throws ShopError change_unknown, change_decided, revision_conflict, note_has_code, invalid_input with the problems
 * of fields
 */
export async function approveChange(
  { userId }: StaffViewer,
  id: string,
  { note, version, locale }: Approval,
): Promise<ChangeMoved> {
  return transaction(async (tx) => {
    await requireNoCode(tx, note);
    const change = await rebaseProposed(tx, await lockProposed(tx, id, { version }));
    const revision = await applyChange(tx, change, { decidedBy: userId, note, locale });
    await mailDecision(tx, change, "approved");
    return { change_id: id, state: "approved", revision };
  });
}

/**
 * Returns a change to its merchant, who corrects it and proposes it again.
 * @throws ShopError change_unknown, change_decided, revision_conflict, note_has_code
 */
export const returnChange = (viewer: StaffViewer, id: string, answer: Answer): Promise<ChangeMoved> =>
  answerChange(viewer, id, { ...answer, decision: "returned" });

/** Refuses a change for good. @throws ShopError change_unknown, change_decided, revision_conflict, note_has_code */
export const refuseChange = (viewer: StaffViewer, id: string, answer: Answer): Promise<ChangeMoved> =>
  answerChange(viewer, id, { ...answer, decision: "refused" });

type Answer = SeenVersion & { note: string };

async function answerChange(
  { userId }: StaffViewer,
  id: string,
  { version, note, decision }: Answer & { decision: "returned" | "refused" },
): Promise<ChangeMoved> {
  return transaction(async (tx) => {
    await requireNoCode(tx, note);
    const change = await lockProposed(tx, id, { version });
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
    await mailDecision(tx, change, decision);
    return { change_id: id, state: decision, revision: null };
  });
}
