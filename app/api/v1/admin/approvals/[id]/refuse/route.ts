import { endpoint } from "@/lib/platform/api/endpoint";
import { decideApproval } from "@/lib/staff/approvals/commands";
import { ApprovalParams, DecisionInput, DecisionView } from "@/lib/staff/approvals/contract";
import { approvalHandlers } from "@/lib/staff/commands";
import { runOrPreview } from "@/lib/staff/preview/commands";
import { Preview, previewable } from "@/lib/staff/preview/contract";
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
