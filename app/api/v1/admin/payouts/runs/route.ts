import { PayoutRunList, RunCreated } from "@/lib/payouts/console/contract";
import { listRuns } from "@/lib/payouts/console/list-runs";
import { prepareRun } from "@/lib/payouts/runs/prepare-run";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Runs of payouts",
    description: "The newest 100.",
    access: staff("payouts.read"),
    result: PayoutRunList,
    errors: [],
  },
  () => listRuns(),
);

export const POST = endpoint(
  {
    summary: "Prepare a run of payouts",
    description:
      "For all merchants whose available amount reaches their threshold. A job writes its payouts; the run is `preparing` until then, and cancelled when nothing is due.",
    access: staff("payouts.manage", { reauthenticated: true }),
    result: RunCreated,
    errors: [],
  },
  ({ viewer }) => prepareRun(viewer),
);
