import { endpoint } from "@/lib/platform/api/endpoint";
import { approvalHandlers } from "@/lib/staff/approval-handlers";
import { ApprovalParams, DecisionInput, DecisionView } from "@/lib/staff/approvals/contract";
import { decideApproval } from "@/lib/staff/approvals/decide-approval";
import { Preview, previewable } from "@/lib/staff/preview/contract";
import { runOrPreview } from "@/lib/staff/preview/run-or-preview";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Refuse an action that waits for a second person",
    description: "Who asked withdraws the request with it. With `preview` nothing happens.",
    access: staff("approvals.decide", { reauthenticated: true }),
    params: ApprovalParams,
    body: DecisionInput.extend({ preview: Preview }),
    result: previewable(DecisionView),
    errors: ["approval_unknown", "approval_decided", "own_approval", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body: { preview, ...input } }) =>
    runOrPreview(preview, () =>
      decideApproval(viewer, { id: params.id, decision: "refuse", ...input }, approvalHandlers),
    ),
);
