import { importAnswer } from "@/lib/payouts/bank-files/import-answer";
import { BankAnswerInput, BankAnswerReport } from "@/lib/payouts/console/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Import a bank's answer",
    description:
      "A camt.053 file, or CSV with `reference`, `result` (paid, failed, returned) and perhaps `amount` and `reason`. Without `apply` it says what it would do. A line counts once, however often it is imported.",
    access: staff("payouts.manage", { reauthenticated: true }),
    body: BankAnswerInput,
    limitBytes: 5_000_000,
    takesLong: true,
    result: BankAnswerReport,
    errors: ["answer_unreadable"],
  },
  ({ viewer, body }) => importAnswer(viewer, body),
);
