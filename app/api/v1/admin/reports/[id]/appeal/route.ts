import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { decideAppeal } from "@/lib/staff/reports/decide-report";
import { staff } from "@/lib/staff/rules";
import { DecideAppealInput, ReportDecided, ReportParams } from "@/lib/support/reports/contract";

export const POST = endpoint(
  {
    summary: "Decide about an objection",
    description:
      "About the one that has waited longest, by another person than who decided about the report. A reversed decision puts back what it took off the shop, unless it was changed since, or takes off what it kept, with the same rights.",
    access: staff("reports.decide"),
    params: ReportParams,
    body: DecideAppealInput,
    previewable: effects,
    result: ReportDecided,
    errors: [
      "report_unknown",
      "report_decided",
      "own_decision",
      "report_right_missing",
      "reauthentication_required",
      "revision_conflict",
      "note_has_code",
    ],
  },
  ({ viewer, params, body, locale }) => decideAppeal(viewer, params.id, body, locale),
);
