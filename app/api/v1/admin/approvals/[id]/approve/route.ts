import { endpoint } from "@/lib/platform/api/endpoint";
import { ApprovalParams, DecisionInput, DecisionView } from "@/lib/staff/approvals/contract";
import { decideApproval } from "@/lib/staff/approvals/decide-approval";
import { approvedActions } from "@/lib/staff/approved-actions";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Approve an action that waits for a second person",
    description:
      "The action runs immediately, after checking again what may have changed since the request. With `preview` nothing changes, and the response lists the effects.",
    access: staff("approvals.decide", { reauthenticated: true }),
    params: ApprovalParams,
    body: DecisionInput,
    previewable: effects,
    result: DecisionView,
    errors: [
      "approval_unknown",
      "approval_decided",
      "own_approval",
      "note_has_code",
      "revision_conflict",
      "line_changed",
      "amount_above_limit",
      "payment_disputed",
    ],
  },
  ({ viewer, params, body }) =>
    decideApproval(viewer, { id: params.id, decision: "approve", ...body }, approvedActions),
);
