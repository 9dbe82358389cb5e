import { IdParams, RunCreated } from "@/lib/payouts/console/contract";
import { cancelRun } from "@/lib/payouts/runs/approve-run";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Cancel a run that nobody has approved",
    description: "Its sales are for the next run.",
    access: staff("payouts.manage", { reauthenticated: true }),
    params: IdParams,
    result: RunCreated,
    errors: ["payout_run_unknown", "payout_run_state"],
  },
  ({ viewer, params }) => cancelRun(viewer, params.id),
);
