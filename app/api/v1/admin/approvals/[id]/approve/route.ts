import { endpoint } from "@/lib/platform/api/endpoint";
import { approvalHandlers } from "@/lib/staff/approval-handlers";
import { ApprovalParams, DecisionInput, DecisionView } from "@/lib/staff/approvals/contract";
import { decideApproval } from "@/lib/staff/approvals/decide-approval";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Approve an action that waits for a second person",
    description:
      "The action runs immediately, after checking again what may have changed since the request. With `preview` nothing changes, and the response lists the effects.",
    access: staff("approvals.decide", { reauthenticated: true }),
    params: ApprovalParams,
    body: DecisionInput.extend({ preview: Preview }),
    result: previewable(DecisionView),
    errors: [
      "approval_unknown",
      "approval_decided",
      "own_approval",
      "note_has_code",
      "revision_conflict",
      "line_changed",
      "payment_disputed",
    ],
  },
  ({ viewer, params, body: { preview, ...input } }) =>
    runOrPreview(preview, () =>
      decideApproval(viewer, { id: params.id, decision: "approve", ...input }, approvalHandlers),
    ),
);
