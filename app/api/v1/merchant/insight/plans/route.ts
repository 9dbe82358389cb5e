import { PlanFiguresInput, PlanFiguresList } from "@/lib/merchants/insight/contract";
import { listPlanFigures } from "@/lib/merchants/insight/list-plan-figures";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Views, carts and paid units of each plan",
    description:
      "Views are those of the product's page. Carts are those that hold the plan, and those that became orders. A job counts them every ten minutes.",
    access: merchant("insight.read"),
    query: PlanFiguresInput,
    result: PlanFiguresList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query, locale }) => listPlanFigures(viewer, query, locale),
);
