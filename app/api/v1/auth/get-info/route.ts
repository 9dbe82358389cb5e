import { AccountView } from "@/lib/accounts/contract";
import { getAccount } from "@/lib/accounts/get-account";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The signed-in account",
    description: "404 for a valid token whose account was deleted; the client then clears its session.",
    access: "user",
    namesMissingAccount: true,
    result: AccountView,
    errors: ["account_missing"],
  },
  ({ viewer }) => getAccount(viewer),
);
