import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";
import { SourceDays, SourceDaysInput } from "@/lib/tracking/insight/contract";
import { getSourceDays } from "@/lib/tracking/insight/get-sources";

export const GET = endpoint(
  {
    summary: "Visits, product views, carts, orders and payments of each day",
    description:
      "Of all sources together, of one `kind`, or of the source in `came_from`. Days are UTC; the running one comes last.",
    access: staff("insight.read"),
    query: SourceDaysInput,
    result: SourceDays,
    errors: [],
  },
  ({ query }) => getSourceDays(query),
);
