import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";
import { DecideReportInput, ReportDecided, ReportParams } from "@/lib/support/reports/contract";
import { decideReport } from "@/lib/support/reports/decide-report";

export const POST = endpoint(
  {
    summary: "Decide about a report",
    description:
      "With reasons, which are mailed to who reported and, if something is restricted, to whom it concerns, with the link of an objection. `restricted` hides a review; a product or seller has left the shop before.",
    access: staff("reports.decide"),
    params: ReportParams,
    body: DecideReportInput,
    previewable: effects,
    result: ReportDecided,
    errors: ["report_unknown", "report_decided", "report_still_shown", "revision_conflict", "note_has_code"],
  },
  ({ viewer, params, body }) => decideReport(viewer, params.id, body),
);
