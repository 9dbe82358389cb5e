import { PlanDays, PlanDaysInput } from "@/lib/merchants/insight/contract";
import { getPlanDays } from "@/lib/merchants/insight/get-plan-days";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "One plan in the last 8 weeks, and its forecast",
    access: merchant("insight.read"),
    query: PlanDaysInput,
    result: PlanDays,
    errors: ["product_unknown"],
  },
  ({ viewer, query, locale }) => getPlanDays(viewer, query.vip_id, locale),
);
