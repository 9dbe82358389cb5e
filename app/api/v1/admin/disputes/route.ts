import { ConsoleDisputeList, ConsoleDisputesInput } from "@/lib/orders/console/contract-disputes";
import { listConsoleDisputes } from "@/lib/orders/console/list-console-disputes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { LIST_PERMISSIONS, staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Disputed payments",
    description:
      "50 a page: the open ones, the next to be due first; with `state` closed the others, newest first. Totals are counted to 1,000.",
    access: staff(LIST_PERMISSIONS.disputes),
    query: ConsoleDisputesInput,
    result: ConsoleDisputeList,
    errors: ["cursor_invalid"],
  },
  ({ query }) => listConsoleDisputes(query),
);
