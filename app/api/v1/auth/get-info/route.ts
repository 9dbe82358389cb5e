import { AccountView } from "@/lib/accounts/contract";
import { getAccount } from "@/lib/accounts/queries";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The signed-in account",
    access: "user",
    result: AccountView,
    errors: ["account_missing"],
  },
  ({ viewer }) => getAccount(viewer),
);
