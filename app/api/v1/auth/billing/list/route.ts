import { BillingList } from "@/lib/accounts/billing/contract";
import { listBillingAddresses } from "@/lib/accounts/billing/list-billing-addresses";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  { summary: "The viewer's billing addresses", access: "user", result: BillingList, errors: [] },
  ({ viewer }) => listBillingAddresses(viewer),
);
