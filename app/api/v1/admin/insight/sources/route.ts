import { endpoint } from "@/lib/platform/api/endpoint";
import { LIST_PERMISSIONS, staff } from "@/lib/staff/rules";
import { SourceList, SourcesInput } from "@/lib/tracking/insight/contract";
import { listSources } from "@/lib/tracking/insight/get-sources";

export const GET = endpoint(
  {
    summary: "Visits, product views, carts, orders and payments of each source",
    description:
      "50 a page, most visits first, of the last 7, 30 or 90 days (UTC), from the sums that a job keeps every ten minutes. `none`: visitors without a source. `other`: sources beyond the 200 of a day that have most orders and visits. `all` has the sums.",
    access: staff(LIST_PERMISSIONS.sources),
    query: SourcesInput,
    result: SourceList,
    errors: ["cursor_invalid"],
  },
  ({ query }) => listSources(query),
);
