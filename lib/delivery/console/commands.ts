import { db } from "@/db/client";
import { hasCode } from "@/lib/delivery/code-text/queries";
import type {
  OrderReplacementInput,
  OrderReplacementRequested,
  ReplacementDecided,
} from "@/lib/delivery/console/contract-replacements";
import {
  approveReplacement,
  type ReplacementResult,
  refuseReplacement,
  requestReplacementByStaff,
} from "@/lib/delivery/replacement/commands";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";

const REFUSALS = {
  no_stock: "replacement_no_stock",
  locked: "replacement_locked",
  own: "own_replacement",
} as const;

/** The result of a decision as the console answers it; what was not decided by this call is an error. */
function toDecided(
  requestId: string,
  state: ReplacementDecided["state"],
  result: ReplacementResult | null,
): ReplacementDecided {
  if (!result) throw new ShopError("replacement_unknown");
  if (!("state" in result)) throw new ShopError(REFUSALS[result.outcome]);
  if (result.outcome === "already") throw new ShopError("replacement_decided");
  return { request_id: requestId, state, new_key_id: result.newKeyId ?? null };
}

/**
 * Approves a replacement request: the old code is revoked, and its owner gets another one.
 * @throws ShopError replacement_unknown, replacement_decided, replacement_no_stock, replacement_locked, own_replacement
 */
export async function approveConsoleReplacement(
  { userId }: StaffViewer,
  requestId: string,
): Promise<ReplacementDecided> {
  return toDecided(requestId, "approved", await approveReplacement(requestId, userId));
}

/**
 * Refuses a replacement request and mails the reason to the owner of the code.
 * @throws ShopError replacement_unknown, replacement_decided, own_replacement, note_has_code
 */
export async function refuseConsoleReplacement(
  { userId }: StaffViewer,
  requestId: string,
  reason: string,
): Promise<ReplacementDecided> {
  if (await hasCode(db, reason)) throw new ShopError("note_has_code");
  return toDecided(requestId, "refused", await refuseReplacement(requestId, userId, reason));
}

/**
 * Asks for another code in place of one of an order, for its owner. Somebody else decides.
 * @throws ShopError order_unknown, key_unknown, key_frozen, replacement_asked, note_has_code
 */
export async function requestConsoleReplacement(
  viewer: StaffViewer,
  orderId: string,
  { key_id: keyId, reason }: OrderReplacementInput,
): Promise<OrderReplacementRequested> {
  if (await hasCode(db, reason)) throw new ShopError("note_has_code");
  const { id, askedAt } = await requestReplacementByStaff(viewer, { orderId, keyId, reason });
  return { request_id: id, order_id: orderId, key_id: keyId, state: "asked", asked_at: askedAt };
}
