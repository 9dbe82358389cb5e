import { BillingSaved, SaveBillingInput } from "@/lib/accounts/billing/contract";
import { saveBillingAddress } from "@/lib/accounts/billing/save-billing-address";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Add a billing address, or change one",
    access: "user",
    body: SaveBillingInput,
    result: BillingSaved,
    errors: [
      "address_unknown",
      "addresses_full",
      "field_required",
      "country_invalid",
      "postal_code_invalid",
      "account_missing",
    ],
  },
  ({ body, viewer }) => saveBillingAddress(viewer, body),
);
