import { makeBankFile } from "@/lib/payouts/bank-files/make-bank-file";
import { BankFileMade, IdParams } from "@/lib/payouts/console/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Make a bank file of a run",
    description:
      "Of its payouts that stand in no file yet: pain.001.001.09 where all accounts have an IBAN, else CSV.",
    access: staff("payouts.manage", { reauthenticated: true }),
    params: IdParams,
    result: BankFileMade,
    errors: ["payout_run_unknown", "nothing_to_send"],
  },
  ({ viewer, params }) => makeBankFile(viewer, params.id),
);
