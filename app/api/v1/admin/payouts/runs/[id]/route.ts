import { IdParams, PayoutRunDetail } from "@/lib/payouts/console/contract";
import { getRun } from "@/lib/payouts/console/list-runs";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "A run of payouts",
    description: "With its first 500 payouts, those that need somebody first, and its bank files.",
    access: staff("payouts.read"),
    params: IdParams,
    result: PayoutRunDetail,
    errors: ["payout_run_unknown"],
  },
  ({ params }) => getRun(params.id),
);
