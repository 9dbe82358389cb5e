import { BillingList, DeleteBillingInput } from "@/lib/accounts/billing/contract";
import { deleteBillingAddress } from "@/lib/accounts/billing/save-billing-address";
import { endpoint } from "@/lib/platform/api/endpoint";

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
