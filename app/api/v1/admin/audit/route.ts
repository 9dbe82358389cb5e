import { endpoint } from "@/lib/platform/api/endpoint";
import { AuditInput, AuditList } from "@/lib/staff/audit/contract";
import { listAudit } from "@/lib/staff/audit/list-audit";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The audit log",
    description: "50 entries a page, newest first. Support and catalogue see their own actions.",
    access: staff("audit.read"),
    query: AuditInput,
    result: AuditList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query }) => listAudit(viewer, query),
);
