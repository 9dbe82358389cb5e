import { BillingList } from "@/lib/accounts/contract-billing";
import { listBillingAddresses } from "@/lib/accounts/queries-billing";
import { endpoint } from "@/lib/endpoint";

export const GET = endpoint(
  { summary: "The viewer's billing addresses", access: "user", result: BillingList, errors: [] },
  ({ viewer }) => listBillingAddresses(viewer),
);
