import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { type Tx, transaction } from "@/db/client";
import { merchants } from "@/db/schema/catalog";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { markDiscountsLooked } from "@/lib/merchants/discounts/mark-discounts-looked";
import type { MERCHANT_TRUST } from "@/lib/merchants/rules";
import { mayChangeState } from "@/lib/merchants/rules";
import {
  changeState,
  type LockedMerchant,
  lockMerchant,
  MERCHANT_VERSION,
  notifyOwners,
} from "@/lib/merchants/states/change-state";
import { createInvite } from "@/lib/merchants/team/invite-colleague";
import { audit } from "@/lib/platform/audit";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { requireShownRow } from "@/lib/platform/console/query";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import { type ApprovalHandlers, approvalRequired, askApproval } from "@/lib/staff/approvals/commands";
import type { DiscountsLooked, KeysAllowed } from "@/lib/staff/merchants/contract";
import { KEYS_VERSION } from "@/lib/staff/merchants/queries";

/** @throws ShopError merchant_unknown */
async function requireMerchant(tx: Tx, id: string): Promise<LockedMerchant> {
  const merchant = await lockMerchant(tx, id);
  if (!merchant) throw new ShopError("merchant_unknown");
  return merchant;
}

/** The same of one that is as it was shown. @throws ShopError merchant_unknown, revision_conflict */
async function requireShownMerchant(tx: Tx, id: string, seen: SeenVersion): Promise<LockedMerchant> {
  const merchant = await requireMerchant(tx, id);
  await requireShownRow(tx, seen, { version: MERCHANT_VERSION, from: sql`merchants m where m.id = ${id}` });
  return merchant;
}

/**
 * Invites an owner. The state of the merchant stays until somebody accepts.
 * @throws ShopError merchant_unknown, merchant_state: it has ended, already_member, team_full
 */
export async function inviteOwner({ userId: actor }: StaffViewer, id: string, email: string) {
  return transaction(async (tx) => {
    const merchant = await requireMerchant(tx, id);
    const invite = await createInvite(tx, merchant, { email, role: "owner", locale: merchant.locale, actor });
    return { merchant_id: id, invite_id: invite.invite_id };
  });
}

/**
 * Pauses, resumes or suspends a merchant, and mails its owners the note.
 * @throws ShopError merchant_unknown, revision_conflict, merchant_state, note_has_code
 */
export async function changeStateByStaff(
  { userId: actor }: StaffViewer,
  id: string,
  {
    change,
    note,
    ...seen
  }: SeenVersion & { change: "pause" | "resume" | "suspend"; note?: string | undefined },
) {
  return transaction(async (tx) => {
    await requireNoCode(tx, note);
    const merchant = await requireShownMerchant(tx, id, seen);
    const state = await changeState(tx, merchant, change, { actor, ...(note && { note }) });
    await notifyOwners(tx, merchant, state, note ?? "");
    return { merchant_id: id, state };
  });
}

/**
 * Says whether low-risk changes of a merchant need no approval.
 * @throws ShopError merchant_unknown, revision_conflict, nothing_changes
 */
export async function changeTrust(
  { userId: actor }: StaffViewer,
  id: string,
  { trust, ...seen }: SeenVersion & { trust: (typeof MERCHANT_TRUST)[number] },
) {
  return transaction(async (tx) => {
    const merchant = await requireShownMerchant(tx, id, seen);
    if (merchant.trust === trust) throw new ShopError("nothing_changes");
    await tx.update(merchants).set({ trust }).where(eq(merchants.id, id));
    const detail = { before: { trust: merchant.trust }, after: { trust } };
    await audit({ actor, action: "merchant.trust", subject: id, detail }, tx);
    return { merchant_id: id, trust };
  });
}

/**
 * Lets a merchant add codes again that was stopped because too many of its codes were those of others.
 * @throws ShopError merchant_unknown, nothing_changes, revision_conflict: it was stopped again since
 */
export async function allowKeys(
  { userId: actor }: StaffViewer,
  id: string,
  { version }: SeenVersion,
): Promise<KeysAllowed> {
  return transaction(async (tx) => {
    const merchant = await requireMerchant(tx, id);
    if (!merchant.keysStoppedAt) throw new ShopError("nothing_changes");
    const shown = { version: KEYS_VERSION, from: sql`merchants m where m.id = ${id}` };
    await requireShownRow(tx, { version }, shown);
    await tx.update(merchants).set({ foreignKeys: 0, keysStoppedAt: null }).where(eq(merchants.id, id));
    const detail = { foreign: merchant.foreignKeys };
    await audit({ actor, action: "merchant.keys_allowed", subject: id, detail }, tx);
    return { merchant_id: id };
  });
}

/**
 * Says that somebody has looked at what the shop paid of a merchant's sales, which then waits for staff no more until it has grown.
 * @throws ShopError merchant_unknown, nothing_changes, revision_conflict: it was counted anew since, note_has_code
 */
export async function lookAtDiscounts(
  { userId: actor }: StaffViewer,
  id: string,
  { note, ...seen }: SeenVersion & { note?: string | undefined },
): Promise<DiscountsLooked> {
  return transaction(async (tx) => {
    await requireNoCode(tx, note);
    await requireMerchant(tx, id);
    await markDiscountsLooked(tx, id, { actor, note, ...seen });
    return { merchant_id: id };
  });
}

/**
 * Asks a second person to close a merchant for good.
 * @throws ShopError merchant_unknown, revision_conflict, merchant_state, approval_required, note_has_code
 */
export async function endMerchant(
  viewer: StaffViewer,
  id: string,
  { note, ...seen }: SeenVersion & { note: string },
): Promise<never> {
  const approvalId = await transaction(async (tx) => {
    await requireNoCode(tx, note);
    const merchant = await requireShownMerchant(tx, id, seen);
    if (!mayChangeState(merchant.state, "end")) throw new ShopError("merchant_state");
    const subject = `${merchant.name} (${merchant.handle})`;
    return askApproval(tx, viewer, { kind: "end_merchant", payload: { merchant_id: id, note }, subject });
  });
  throw approvalRequired(approvalId);
}

const Payload = z.object({ merchant_id: z.string(), note: z.string() });

/** A second person has agreed. A merchant that has ended meanwhile stays so. */
export const merchantApprovals: Pick<ApprovalHandlers, "end_merchant"> = {
  async end_merchant(tx, payload, { askedBy, decidedBy }) {
    const { merchant_id, note } = Payload.parse(payload);
    const merchant = await lockMerchant(tx, merchant_id);
    if (!merchant || !mayChangeState(merchant.state, "end")) return;
    const state = await changeState(tx, merchant, "end", {
      actor: decidedBy,
      note,
      detail: { asked_by: askedBy },
    });
    await notifyOwners(tx, merchant, state, note);
  },
};
