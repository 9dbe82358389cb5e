import { merchant } from "@/lib/merchants/rules";
import { checkConnectedAccount } from "@/lib/payouts/accounts/connect-account";
import { PayoutAccounts } from "@/lib/payouts/accounts/contract";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Read the state of the merchant's account at the payment provider again",
    access: merchant("payouts.manage"),
    result: PayoutAccounts,
    errors: ["provider_unavailable"],
  },
  ({ viewer }) => checkConnectedAccount(viewer),
);
