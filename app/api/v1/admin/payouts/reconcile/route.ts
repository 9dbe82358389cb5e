import { Reconciled } from "@/lib/payouts/console/contract";
import { reconcileByStaff } from "@/lib/payouts/transfers/reconcile-transfers";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Compare payouts with the payment provider",
    description:
      "Its transfers of 30 days, its payouts to the shop's bank and its balance, as every night. A transfer whose answer was lost is recorded.",
    access: staff("payouts.manage", { reauthenticated: true }),
    result: Reconciled,
    errors: ["provider_unavailable"],
  },
  () => reconcileByStaff(),
);
