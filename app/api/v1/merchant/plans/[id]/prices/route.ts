import { PlanParams, PlanPrices } from "@/lib/merchants/changes/contract";
import { getPlanPrices } from "@/lib/merchants/changes/get-merchant-product";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The prices of a plan: what buyers see now, and their history",
    access: merchant("products.read"),
    params: PlanParams,
    result: PlanPrices,
    errors: ["product_unknown"],
  },
  ({ viewer, params, locale }) => getPlanPrices(viewer, params.id, locale),
);
