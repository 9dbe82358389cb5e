import { IdParams, RunCreated } from "@/lib/payouts/console/contract";
import { askForRun } from "@/lib/payouts/runs/approve-run";
import { endpoint } from "@/lib/platform/api/endpoint";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Ask a second person to pay a run",
    description:
      "Always `approval_required`. Who approves agrees to the total; then the run is sent. Nobody approves a run for which they asked.",
    access: staff("payouts.manage", { reauthenticated: true }),
    params: IdParams,
    result: RunCreated,
    approval: secondPerson("payout_run"),
    errors: ["payout_run_unknown", "payout_run_state"],
  },
  ({ params }) => askForRun(params.id),
);
