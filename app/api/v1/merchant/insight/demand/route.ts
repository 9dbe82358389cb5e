import { DemandInput, PlanDemandList } from "@/lib/merchants/insight/contract";
import { listPlanDemand } from "@/lib/merchants/insight/list-plan-demand";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Stock, wait-list and forecast of each plan",
    description:
      "The forecast is the average of the last 8 weeks, of which newer ones count more, times the share of each weekday; its band holds eight times of ten. The suggestion covers 14 days and the waiting people.",
    access: merchant("insight.read"),
    query: DemandInput,
    result: PlanDemandList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query, locale }) => listPlanDemand(viewer, query, locale),
);
