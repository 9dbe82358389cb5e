import { ConsoleRefundList, ConsoleRefundsInput } from "@/lib/orders/console/contract-refunds";
import { listConsoleRefunds } from "@/lib/orders/console/list-console-refunds";
import { endpoint } from "@/lib/platform/api/endpoint";
import { LIST_PERMISSIONS, staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Refunds that wait for staff",
    description:
      "`open` and `late`: requests that wait for the vendor or for staff, by time left. `refused`: those that can be overruled. `failed`: refunds that must be paid by other means.",
    access: staff(LIST_PERMISSIONS.refunds),
    query: ConsoleRefundsInput,
    result: ConsoleRefundList,
    errors: ["cursor_invalid"],
  },
  ({ query, locale }) => listConsoleRefunds(query, locale),
);
