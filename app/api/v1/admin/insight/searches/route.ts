import { endpoint } from "@/lib/platform/api/endpoint";
import { LIST_PERMISSIONS, staff } from "@/lib/staff/rules";
import { EmptySearchesInput, EmptySearchList } from "@/lib/tracking/insight/contract";
import { listEmptySearches } from "@/lib/tracking/insight/list-empty-searches";

export const GET = endpoint(
  {
    summary: "Searches that find nothing",
    description:
      "50 a page, the most frequent first. Every night the 1,000 most frequent searches of the last 28 days are asked again. Searches that were made fewer than 3 times, and those that hold an email address, are left out.",
    access: staff(LIST_PERMISSIONS.searches),
    query: EmptySearchesInput,
    result: EmptySearchList,
    errors: ["cursor_invalid"],
  },
  ({ query }) => listEmptySearches(query),
);
