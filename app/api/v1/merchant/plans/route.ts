import { PlanList } from "@/lib/merchants/bulk/contract";
import { listPlans } from "@/lib/merchants/bulk/pause-plans";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The plans on sale with their prices, the first 1,000",
    access: merchant("products.read"),
    result: PlanList,
    errors: [],
  },
  ({ viewer, locale }) => listPlans(viewer, locale),
);
