import { transaction } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { changeState, notifyOwners } from "@/lib/merchants/states/change-state";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { SeenVersion } from "@/lib/platform/console/version";
import { requireShownMerchant } from "./require-merchant";

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
