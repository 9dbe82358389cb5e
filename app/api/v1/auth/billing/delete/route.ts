import { deleteBillingAddress } from "@/lib/accounts/commands-billing";
import { BillingList, DeleteBillingInput } from "@/lib/accounts/contract-billing";
import { endpoint } from "@/lib/endpoint";

export const POST = endpoint(
  {
    summary: "Remove a billing address",
    access: "user",
    body: DeleteBillingInput,
    result: BillingList,
    errors: ["address_unknown", "account_missing"],
  },
  ({ body, viewer }) => deleteBillingAddress(viewer, body),
);
