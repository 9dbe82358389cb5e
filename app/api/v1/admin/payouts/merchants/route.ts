import { MerchantBalances } from "@/lib/payouts/console/contract";
import { listBalances } from "@/lib/payouts/console/list-balances";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Merchants by balance",
    description: "The 200 with the largest, above or below zero, and the sums of all.",
    access: staff("payouts.read"),
    result: MerchantBalances,
    errors: [],
  },
  () => listBalances(),
);
