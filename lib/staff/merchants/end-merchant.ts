import { z } from "zod";
import { transaction } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import { requireShownMerchant } from "@/lib/merchants/console/require-merchant";
import { mayChangeState } from "@/lib/merchants/rules";
import { changeState, lockMerchant, notifyOwners } from "@/lib/merchants/states/change-state";
import type { StaffViewer } from "@/lib/platform/auth/session";
import type { SeenVersion } from "@/lib/platform/console/version";
import { ShopError } from "@/lib/platform/errors";
import { approvalRequired, askApproval } from "@/lib/staff/approvals/ask-approval";
import type { ApprovalHandlers } from "@/lib/staff/approvals/decide-approval";

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
