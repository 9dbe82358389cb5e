import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { MerchantParams } from "@/lib/merchants/console/contract-merchants";
import { PayoutsStopped, StopPayoutsInput } from "@/lib/payouts/console/contract";
import { stopPayouts } from "@/lib/payouts/console/stop-payouts";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Stop a merchant's payouts, or let them go on",
    description: "The merchant reads the note. What is approved and not sent drops out of its run.",
    access: staff("payouts.manage", { reauthenticated: true }),
    params: MerchantParams,
    body: StopPayoutsInput,
    texts: withoutCodes(({ body }: { body: StopPayoutsInput }) => [body.note]),
    result: PayoutsStopped,
    errors: ["merchant_unknown"],
  },
  ({ viewer, params, body }) => stopPayouts(viewer, params.id, body),
);
