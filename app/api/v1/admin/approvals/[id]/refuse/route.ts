import { endpoint } from "@/lib/platform/api/endpoint";
import { ApprovalParams, DecisionInput, DecisionView } from "@/lib/staff/approvals/contract";
import { decideApproval } from "@/lib/staff/approvals/decide-approval";
import { approvedActions } from "@/lib/staff/approved-actions";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Refuse an action that waits for a second person",
    description: "Who asked withdraws the request with it. With `preview` nothing happens.",
    access: staff("approvals.decide", { reauthenticated: true }),
    params: ApprovalParams,
    body: DecisionInput,
    previewable: effects,
    result: DecisionView,
    errors: ["approval_unknown", "approval_decided", "own_approval", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body }) =>
    decideApproval(viewer, { id: params.id, decision: "refuse", ...body }, approvedActions),
);
