import { merchant } from "@/lib/merchants/rules";
import { PayoutAccountInput, PayoutAccounts } from "@/lib/payouts/accounts/contract";
import { getAccounts } from "@/lib/payouts/accounts/get-accounts";
import { setAccount } from "@/lib/payouts/accounts/set-account";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The account to which the merchant is paid",
    description: "Only the last four characters of its number. While `waiting` is there nothing is paid.",
    access: merchant("money.read"),
    result: PayoutAccounts,
    errors: [],
  },
  ({ viewer }) => getAccounts(viewer),
);

export const POST = endpoint(
  {
    summary: "Set the account to which the merchant is paid",
    description:
      "It counts after 48 hours, in which nothing is paid. All owners are mailed; any of them can cancel it.",
    access: merchant("payouts.manage"),
    body: PayoutAccountInput,
    result: PayoutAccounts,
    errors: [
      "holder_invalid",
      "iban_invalid",
      "bank_number_invalid",
      "account_number_invalid",
      "provider_needed",
    ],
    replay: false,
  },
  ({ viewer, body, locale }) => setAccount(viewer, body, locale),
);
