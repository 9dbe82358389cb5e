import { endpoint } from "@/lib/platform/api/endpoint";
import { ApprovalList, ApprovalsInput } from "@/lib/staff/approvals/contract";
import { listApprovals } from "@/lib/staff/approvals/list-approvals";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Approvals that the viewer asked for or may decide",
    access: staff("approvals.decide"),
    query: ApprovalsInput,
    result: ApprovalList,
    errors: [],
  },
  ({ viewer, query }) => listApprovals(viewer, query.state),
);
