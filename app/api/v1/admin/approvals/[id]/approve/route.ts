import { endpoint } from "@/lib/platform/api/endpoint";
import { decideApproval } from "@/lib/staff/approvals/commands";
import { ApprovalParams, DecisionInput, DecisionView } from "@/lib/staff/approvals/contract";
import { approvalHandlers } from "@/lib/staff/commands";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Approve an action that waits for a second person",
    description: "The action runs at once. What has changed since it was asked for is checked again.",
    access: staff("approvals.decide", { reauthenticated: true }),
    params: ApprovalParams,
    body: DecisionInput,
    result: DecisionView,
    errors: [
      "approval_unknown",
      "approval_decided",
      "own_approval",
      "revision_conflict",
      "line_changed",
      "payment_disputed",
    ],
  },
  ({ viewer, params, body }) =>
    decideApproval(viewer, { id: params.id, decision: "approve", note: body.note }, approvalHandlers),
);
