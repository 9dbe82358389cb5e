import { db } from "@/db/client";
import { requireNoCode } from "@/lib/delivery/code-text/find-codes";
import type {
  ApproveRefundInput,
  ApproveRefundsInput,
  RefundDecided,
  RefundSettled,
  RefundsApproved,
  RefuseRefundInput,
  SettleRefundInput,
} from "@/lib/orders/console/contract-refunds";
import { decideRefundRequest, type RefundRequestDecision } from "@/lib/orders/refunds/decide-refund-request";
import { settleFailedRefund } from "@/lib/orders/refunds/settle-failed-refund";
import type { StaffViewer } from "@/lib/platform/auth/session";
import { ShopError } from "@/lib/platform/errors";
import { toDecimal } from "@/lib/platform/money";
import { collectRefused } from "./collect-refused";

type Decision = Required<Pick<RefundRequestDecision, "decision" | "shown">> &
  Pick<RefundRequestDecision, "note" | "overrule">;

/**
 * Decides a refund request as staff.
 * @throws ShopError refund_unknown, refund_decided: by someone else or by the deadline; payment_disputed, own_refund,
 * revision_conflict
 */
async function decide({ userId }: StaffViewer, id: string, decision: Decision): Promise<RefundDecided> {
  const decided = await decideRefundRequest(id, { ...decision, by: userId });
  if (!decided) throw new ShopError("refund_unknown");
  if (decided.outcome === "disputed") throw new ShopError("payment_disputed");
  if (decided.outcome === "already") throw new ShopError("refund_decided");
  return { refund_id: id, state: decision.decision };
}

/** Locks the codes and returns the money. `overrule`: also of a refused request. @throws ShopError as `decide` */
export const approveRefund = (viewer: StaffViewer, id: string, { overrule, version }: ApproveRefundInput) =>
  decide(viewer, id, { decision: "approved", overrule, shown: { version } });

/** Tells the shopper why there is no refund. @throws ShopError as `decide`, note_has_code */
export async function refuseRefund(viewer: StaffViewer, id: string, { reason, version }: RefuseRefundInput) {
  await requireNoCode(db, reason);
  return decide(viewer, id, { decision: "refused", note: reason, shown: { version } });
}

/** Approves several, each on its own as it was shown: one that cannot be approved does not stop the others. */
export async function approveRefunds(
  viewer: StaffViewer,
  { refund_ids: ids, versions }: ApproveRefundsInput,
): Promise<RefundsApproved> {
  const failed = await collectRefused(ids, (id) =>
    approveRefund(viewer, id, { overrule: false, version: versions[id] }),
  );
  return { approved: new Set(ids).size - failed.length, failed };
}

/** @throws ShopError as `settleFailedRefund`, note_has_code */
export async function settleRefund(
  { userId }: StaffViewer,
  id: string,
  { note, version }: SettleRefundInput,
): Promise<RefundSettled> {
  await requireNoCode(db, note);
  const { amountCents } = await settleFailedRefund(userId, id, { note, shown: { version } });
  return { refund_id: id, amount: toDecimal(amountCents) };
}
