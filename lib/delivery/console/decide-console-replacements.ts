import { db } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import type {
  OrderReplacementInput,
  OrderReplacementRequested,
  RefuseReplacementInput,
  ReplacementDecided,
} from "@/lib/delivery/console/contract-replacements";
import {
  approveReplacement,
  refuseReplacement,
  requireDecided,
} from "@/lib/delivery/replacement/decide-replacement";
import { requestReplacementByStaff } from "@/lib/delivery/replacement/request-replacement";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { SeenVersion } from "@/lib/platform/console/version";

/**
 * Approves a replacement request: the old code is revoked, and its owner gets another one.
 * @throws ShopError replacement_unknown, replacement_decided, replacement_no_stock, replacement_locked, own_replacement,
 * revision_conflict
 */
export async function approveConsoleReplacement(
  { userId }: StaffViewer,
  requestId: string,
  seen: SeenVersion,
): Promise<ReplacementDecided> {
  const { newKeyId } = requireDecided(await approveReplacement(requestId, userId, seen));
  return { request_id: requestId, state: "approved", new_key_id: newKeyId };
}

/**
 * Refuses a replacement request and mails the reason to the owner of the code.
 * @throws ShopError replacement_unknown, replacement_decided, own_replacement, revision_conflict, note_has_code
 */
export async function refuseConsoleReplacement(
  { userId }: StaffViewer,
  requestId: string,
  { reason, ...seen }: RefuseReplacementInput,
): Promise<ReplacementDecided> {
  await requireNoCode(db, reason);
  requireDecided(await refuseReplacement(requestId, userId, reason, seen));
  return { request_id: requestId, state: "refused", new_key_id: null };
}

/**
 * Asks for another code in place of one of an order, for its owner. Someone else decides.
 * @throws ShopError order_unknown, key_unknown, key_frozen, replacement_asked, revision_conflict, note_has_code
 */
export async function requestConsoleReplacement(
  viewer: StaffViewer,
  orderId: string,
  { key_id: keyId, reason, version }: OrderReplacementInput,
): Promise<OrderReplacementRequested> {
  await requireNoCode(db, reason, { orderId });
  const { id, askedAt } = await requestReplacementByStaff(viewer, {
    orderId,
    keyId,
    reason,
    shown: { version },
  });
  return { request_id: id, order_id: orderId, key_id: keyId, state: "asked", asked_at: askedAt };
}
