import { eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { type LockedMerchant, lockMerchant, mailOwners } from "@/lib/merchants/states/change-state";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { requireShownRow, versionSql } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import type { NameDecided } from "./contract";
import { requireName } from "./require-name";

// Staff decide about the name that a merchant requests; its owners are notified by email.

/** SQL: the version of the name that a merchant `m` requests, with its current one. */
export const NAME_VERSION = versionSql(sql`m.id`, sql`m.name`, sql`m.proposed_name`, sql`m.proposed_name_at`);

type NameRequest = LockedMerchant & { proposedName: string };

/** Locks a merchant that requests a name. @throws ShopError merchant_unknown, change_decided, revision_conflict */
async function lockNameRequest(tx: Tx, id: string, seen: SeenVersion): Promise<NameRequest> {
  const merchant = await lockMerchant(tx, id);
  if (!merchant) throw new ShopError("merchant_unknown");
  const { proposedName } = merchant;
  if (proposedName === null) throw new ShopError("change_decided");
  await requireShownRow(tx, seen, { version: NAME_VERSION, from: sql`merchants m where m.id = ${id}` });
  return { ...merchant, proposedName };
}

const NONE = { proposedName: null, proposedNameAt: null };

type Decision = {
  refs: { decision: "approved" | "refused"; refused?: string; note: string };
  proposedAt: Date | null;
};

const mailDecision = (tx: Tx, merchantId: string, { refs, proposedAt }: Decision) =>
  mailOwners(tx, merchantId, {
    event: "merchant-name",
    refs: { merchantId, ...refs },
    about: `${merchantId}:${proposedAt?.getTime() ?? 0}`,
  });

/**
 * Gives a merchant the requested name, effective immediately on pages and in emails.
 * @throws ShopError merchant_unknown, change_decided, revision_conflict, name_taken: by another merchant meanwhile
 */
export async function approveName(
  { userId: actor }: StaffViewer,
  id: string,
  { version }: SeenVersion,
): Promise<NameDecided> {
  return transaction(async (tx) => {
    const { name, proposedName, proposedNameAt } = await lockNameRequest(tx, id, { version });
    await requireName(tx, proposedName, id);
    await tx
      .update(merchants)
      .set({ ...NONE, name: proposedName, nameNote: null })
      .where(eq(merchants.id, id));
    const detail = { before: { name }, after: { name: proposedName } };
    await audit({ actor, action: "merchant.name_approved", subject: id, detail }, tx);
    await mailDecision(tx, id, { refs: { decision: "approved", note: "" }, proposedAt: proposedNameAt });
    return { merchant_id: id, name: proposedName };
  });
}

/**
 * Refuses a name: the merchant keeps the one that it has.
 * @throws ShopError merchant_unknown, change_decided, revision_conflict, note_has_code
 */
export async function refuseName(
  { userId: actor }: StaffViewer,
  id: string,
  { version, note }: SeenVersion & { note: string },
): Promise<NameDecided> {
  return transaction(async (tx) => {
    await requireNoCode(tx, note);
    const { name, proposedName, proposedNameAt } = await lockNameRequest(tx, id, { version });
    await tx
      .update(merchants)
      .set({ ...NONE, nameNote: note })
      .where(eq(merchants.id, id));
    const detail = { name, refused: proposedName, note };
    await audit({ actor, action: "merchant.name_refused", subject: id, detail }, tx);
    const refs = { decision: "refused", refused: proposedName, note } as const;
    await mailDecision(tx, id, { refs, proposedAt: proposedNameAt });
    return { merchant_id: id, name };
  });
}
