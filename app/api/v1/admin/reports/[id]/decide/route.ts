import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { decideReport } from "@/lib/staff/reports/decide-report";
import { staff } from "@/lib/staff/rules";
import { DecideReportInput, ReportDecided, ReportParams } from "@/lib/support/reports/contract";

export const POST = endpoint(
  {
    summary: "Decide about a report",
    description:
      "With reasons, which are mailed to who reported and, if something is restricted, to whom it concerns, with the link of an objection. `restricted` takes it off the shop: hides a review, unlists a product (`products.write`), suspends a seller (`merchants.decide`).",
    access: staff("reports.decide"),
    params: ReportParams,
    body: DecideReportInput,
    previewable: effects,
    result: ReportDecided,
    errors: [
      "report_unknown",
      "report_decided",
      "report_right_missing",
      "reauthentication_required",
      "revision_conflict",
      "note_has_code",
    ],
  },
  ({ viewer, params, body, locale }) => decideReport(viewer, params.id, body, locale),
);
