import { endpoint } from "@/lib/platform/api/endpoint";
import { ApprovalList, ApprovalsInput } from "@/lib/staff/approvals/contract";
import { listApprovals } from "@/lib/staff/approvals/list-approvals";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Approvals that the viewer asked for or may decide",
    description: "The open ones, oldest first, or all of them, newest first; 200 a page.",
    access: staff("approvals.decide"),
    query: ApprovalsInput,
    result: ApprovalList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query }) => listApprovals(viewer, query.state, query.cursor),
);
