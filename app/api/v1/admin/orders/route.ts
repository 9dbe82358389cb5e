import { ConsoleOrderList, ConsoleOrdersInput } from "@/lib/orders/console/contract";
import { listConsoleOrders } from "@/lib/orders/console/list-console-orders";
import { endpoint } from "@/lib/platform/api/endpoint";
import { LIST_PERMISSIONS, staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Orders",
    description:
      "50 a page, newest first, or with `email` by address. Totals are counted to 1,000. Where a filter has no index, a page looks at a part of the orders only: `looked_back_to` says how far, `next_cursor` goes on.",
    access: staff(LIST_PERMISSIONS.orders),
    query: ConsoleOrdersInput,
    result: ConsoleOrderList,
    errors: ["cursor_invalid"],
  },
  ({ query, locale }) => listConsoleOrders(query, locale),
);
