import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";
import { DecideAppealInput, ReportDecided, ReportParams } from "@/lib/support/reports/contract";
import { decideAppeal } from "@/lib/support/reports/decide-report";

export const POST = endpoint(
  {
    summary: "Decide about an objection",
    description:
      "About the one that has waited longest, by another person than who decided about the report. A reversed decision about a review changes it.",
    access: staff("reports.decide"),
    params: ReportParams,
    body: DecideAppealInput,
    previewable: effects,
    result: ReportDecided,
    errors: [
      "report_unknown",
      "report_decided",
      "own_decision",
      "report_still_shown",
      "revision_conflict",
      "note_has_code",
    ],
  },
  ({ viewer, params, body }) => decideAppeal(viewer, params.id, body),
);
