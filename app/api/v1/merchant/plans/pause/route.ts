import { PausePlansInput, PlansPaused } from "@/lib/merchants/bulk/contract";
import { pausePlans } from "@/lib/merchants/bulk/pause-plans";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Take many plans off sale, or put them back",
    description: "Each plan as by its own call; what one refuses stops no other.",
    access: merchant("products.write", { reauthenticated: true }),
    body: PausePlansInput,
    result: PlansPaused,
    errors: [],
  },
  ({ viewer, body, locale }) => pausePlans(viewer, body, locale),
);
