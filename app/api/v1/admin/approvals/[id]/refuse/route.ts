import { endpoint } from "@/lib/platform/api/endpoint";
import { decideApproval } from "@/lib/staff/approvals/commands";
import { ApprovalParams, DecisionInput, DecisionView } from "@/lib/staff/approvals/contract";
import { approvalHandlers } from "@/lib/staff/commands";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Refuse an action that waits for a second person",
    description: "Who asked withdraws the request with it.",
    access: staff("approvals.decide", { reauthenticated: true }),
    params: ApprovalParams,
    body: DecisionInput,
    result: DecisionView,
    errors: ["approval_unknown", "approval_decided", "own_approval"],
  },
  ({ viewer, params, body }) =>
    decideApproval(viewer, { id: params.id, decision: "refuse", note: body.note }, approvalHandlers),
);
