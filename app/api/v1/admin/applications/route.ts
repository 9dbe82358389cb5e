import { ConsoleApplicationList, ConsoleApplicationsInput } from "@/lib/merchants/console/contract";
import { listConsoleApplications } from "@/lib/merchants/console/list-console-applications";
import { endpoint } from "@/lib/platform/api/endpoint";
import { LIST_PERMISSIONS, staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Merchants' applications",
    description:
      "50 a page, newest first, or with `email` by address. Totals are counted to 1,000. Where a filter has no index, a page looks at a part only: `looked_back_to` says how far, `next_cursor` goes on.",
    access: staff(LIST_PERMISSIONS.applications),
    query: ConsoleApplicationsInput,
    result: ConsoleApplicationList,
    errors: ["cursor_invalid"],
  },
  ({ query }) => listConsoleApplications(query),
);
