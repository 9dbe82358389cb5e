import { z } from "zod";
import { transaction } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { requireShownMerchant } from "@/lib/merchants/console/require-merchant";
import { mayChangeState } from "@/lib/merchants/rules";
import { changeState, lockMerchant, notifyOwners } from "@/lib/merchants/states/change-state";
import { ApprovalNeeded, type ApprovedActions } from "@/lib/platform/console/approval";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";

/**
 * Requests a second person's approval to close a merchant permanently.
 * @throws ApprovalNeeded always; ShopError merchant_unknown, revision_conflict, merchant_state, note_has_code
 */
export async function endMerchant(
  id: string,
  { note, ...seen }: SeenVersion & { note: string },
): Promise<never> {
  return transaction(async (tx) => {
    await requireNoCode(tx, note);
    const merchant = await requireShownMerchant(tx, id, seen);
    if (!mayChangeState(merchant.state, "end")) throw new ShopError("merchant_state");
    const subject = `${merchant.name} (${merchant.handle})`;
    throw new ApprovalNeeded({ kind: "end_merchant", payload: { merchant_id: id, note }, subject });
  });
}

const Payload = z.object({ merchant_id: z.string(), note: z.string() });

/** Runs after a second person's approval. Changes nothing if the merchant is already closed. */
export const merchantApprovals = {
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
} satisfies ApprovedActions;
