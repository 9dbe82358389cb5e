import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";
import { ConsoleReportList, ConsoleReportsInput } from "@/lib/support/reports/contract";
import { listConsoleReports } from "@/lib/support/reports/list-console-reports";

export const GET = endpoint(
  {
    summary: "Reports of what may be unlawful or misleading",
    description:
      "50 a page: those without a decision, the oldest first; `appealed`: with an objection that waits; `decided`: the newest first.",
    access: staff("reports.decide"),
    query: ConsoleReportsInput,
    result: ConsoleReportList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query }) => listConsoleReports(viewer, query),
);
