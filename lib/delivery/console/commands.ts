import { db } from "@/db/client";
import { hasCode } from "@/lib/delivery/code-text/queries";
import type { ReplacementDecided } from "@/lib/delivery/console/contract-replacements";
import {
  approveReplacement,
  type ReplacementResult,
  refuseReplacement,
} from "@/lib/delivery/replacement/commands";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";

/** The result of a decision as the console answers it; what was not decided by this call is an error. */
function toDecided(
  requestId: string,
  state: ReplacementDecided["state"],
  result: ReplacementResult | null,
): ReplacementDecided {
  if (!result) throw new ShopError("replacement_unknown");
  if (!("state" in result))
    throw new ShopError(result.outcome === "no_stock" ? "replacement_no_stock" : "replacement_locked");
  if (result.outcome === "already") throw new ShopError("replacement_decided");
  return { request_id: requestId, state, new_key_id: result.newKeyId ?? null };
}

/**
 * Approves a replacement request: the old code is revoked, and its owner gets another one.
 * @throws ShopError replacement_unknown, replacement_decided, replacement_no_stock, replacement_locked
 */
export async function approveConsoleReplacement(
  { userId }: StaffViewer,
  requestId: string,
): Promise<ReplacementDecided> {
  return toDecided(requestId, "approved", await approveReplacement(requestId, userId));
}

/**
 * Refuses a replacement request and mails the reason to the owner of the code.
 * @throws ShopError replacement_unknown, replacement_decided, note_has_code
 */
export async function refuseConsoleReplacement(
  { userId }: StaffViewer,
  requestId: string,
  reason: string,
): Promise<ReplacementDecided> {
  if (await hasCode(db, reason)) throw new ShopError("note_has_code");
  return toDecided(requestId, "refused", await refuseReplacement(requestId, userId, reason));
}
