import { merchant } from "@/lib/merchants/rules";
import { CancelAccountInput, PayoutAccounts } from "@/lib/payouts/accounts/contract";
import { cancelAccount } from "@/lib/payouts/accounts/set-account";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Cancel an account that does not count yet",
    description: "The one before it is used again. All owners are mailed.",
    access: merchant("payouts.manage", { whileSuspended: true }),
    body: CancelAccountInput,
    result: PayoutAccounts,
    errors: ["payout_account_unknown"],
  },
  ({ viewer, body }) => cancelAccount(viewer, body.account_id),
);
