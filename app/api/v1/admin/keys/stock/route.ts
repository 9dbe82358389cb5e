import { ConsoleStockInput, ConsoleStockList } from "@/lib/delivery/console/contract";
import { listConsoleStock } from "@/lib/delivery/console/list-console-stock";
import { endpoint } from "@/lib/platform/api/endpoint";
import { LIST_PERMISSIONS, staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Codes in stock by plan",
    description:
      "50 a page, those of the newest product first. Totals are counted to 1,000. Where a filter has no index, a page looks at a part only: `looked_back_to` says how far, `next_cursor` goes on.",
    access: staff(LIST_PERMISSIONS.keys),
    query: ConsoleStockInput,
    result: ConsoleStockList,
    errors: ["cursor_invalid"],
  },
  ({ query, locale }) => listConsoleStock(query, locale),
);
