import { ConsoleCustomerList, ConsoleCustomersInput } from "@/lib/accounts/console/contract";
import { listConsoleCustomers } from "@/lib/accounts/console/list-console-customers";
import { endpoint } from "@/lib/platform/api/endpoint";
import { LIST_PERMISSIONS, staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Customers",
    description:
      "50 a page, newest first, or with `email` by address. Totals are counted to 1,000. Where a filter has no index, a page looks at a part only: `looked_back_to` says how far, `next_cursor` goes on.",
    access: staff(LIST_PERMISSIONS.customers),
    query: ConsoleCustomersInput,
    result: ConsoleCustomerList,
    errors: ["cursor_invalid"],
  },
  ({ query }) => listConsoleCustomers(query),
);
