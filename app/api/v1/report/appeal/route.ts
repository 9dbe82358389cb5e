import { endpoint } from "@/lib/platform/api/endpoint";
import { AppealInput, AppealReceived } from "@/lib/support/reports/contract";
import { fileAppeal } from "@/lib/support/reports/file-appeal";
import { REPORT_LIMITS } from "@/lib/support/reports/limits";

export const POST = endpoint(
  {
    summary: "Object to the decision about a report",
    description:
      "With the secret of the link in the email about the decision, once for each side, within six months. Another member of staff decides.",
    access: "public",
    body: AppealInput,
    result: AppealReceived,
    errors: ["link_invalid", "appeal_closed"],
    rate: REPORT_LIMITS,
  },
  ({ body }) => fileAppeal(body),
);
