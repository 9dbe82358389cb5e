import { MerchantParams } from "@/lib/merchants/console/contract-merchants";
import { AccountWaitEnded } from "@/lib/payouts/console/contract";
import { endAccountWait } from "@/lib/payouts/console/end-window";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Sandbox: let a merchant's new account count now",
    description: "In the demo only; elsewhere the call is unknown.",
    access: staff("payouts.manage", { reauthenticated: true }),
    params: MerchantParams,
    result: AccountWaitEnded,
    errors: ["call_unknown", "payout_account_unknown"],
  },
  ({ viewer, params }) => endAccountWait(viewer, params.id),
);
