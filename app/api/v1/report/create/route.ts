import { endpoint } from "@/lib/platform/api/endpoint";
import { ReportInput, ReportReceived } from "@/lib/support/reports/contract";
import { fileReport } from "@/lib/support/reports/file-report";
import { REPORT_LIMITS } from "@/lib/support/reports/limits";

export const POST = endpoint(
  {
    summary: "Report a product, a review or a seller",
    description:
      "What may be unlawful or misleading (DSA art. 16). With an email a receipt and the decision with its reasons are mailed. Activation codes in the text are masked.",
    access: "public",
    body: ReportInput,
    result: ReportReceived,
    errors: ["report_target_unknown", "email_invalid"],
    rate: REPORT_LIMITS,
  },
  ({ body, viewer, locale, ip }) => fileReport(viewer, body, locale, ip),
);
