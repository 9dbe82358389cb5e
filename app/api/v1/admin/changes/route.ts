import { ConsoleChangeList, ConsoleChangesInput } from "@/lib/merchants/changes/contract-console";
import { listConsoleChanges } from "@/lib/merchants/changes/list-console-changes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Merchants' changes of their products",
    description:
      "50 a page: what waits with the oldest first, other states the newest first. Totals are counted to 1,000. Where a filter has no index, a page looks at a part only: `looked_back_to` says how far, `next_cursor` goes on.",
    access: staff("changes.decide"),
    query: ConsoleChangesInput,
    result: ConsoleChangeList,
    errors: ["cursor_invalid"],
  },
  ({ query, locale }) => listConsoleChanges(query, locale),
);
