import { PlanParams, PlanPaused } from "@/lib/merchants/changes/contract";
import { pausePlan } from "@/lib/merchants/changes/pause-plan";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Take a plan off sale immediately",
    description:
      "Nobody can buy it; paid orders are still served. A plan that is paused stays so. The owners get an email when a person does it.",
    access: merchant("products.write", { reauthenticated: true }),
    params: PlanParams,
    result: PlanPaused,
    errors: ["product_unknown"],
  },
  ({ viewer, params, locale }) => pausePlan(viewer, params.id, { paused: true, locale }),
);
