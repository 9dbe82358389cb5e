import { PlanParams, PlanPaused } from "@/lib/merchants/changes/contract";
import { pausePlan } from "@/lib/merchants/changes/pause-plan";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Sell a paused plan again",
    description: "Immediately, if the merchant itself had paused it; a pause by the shop answers 40998.",
    access: merchant("products.write"),
    params: PlanParams,
    result: PlanPaused,
    errors: ["product_unknown", "pause_by_shop"],
  },
  ({ viewer, params, locale }) => pausePlan(viewer, params.id, { paused: false, locale }),
);
