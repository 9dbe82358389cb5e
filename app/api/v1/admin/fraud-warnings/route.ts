import { ConsoleWarningList, ConsoleWarningsInput } from "@/lib/orders/console/contract-warnings";
import { listConsoleWarnings } from "@/lib/orders/console/list-console-warnings";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Early fraud warnings",
    description:
      "50 a page: those that wait, the oldest first, with the codes that were shown and when; `decided` the newest first. While one waits, unseen codes of its order are locked and its sales are not paid out.",
    access: staff("refunds.decide"),
    query: ConsoleWarningsInput,
    result: ConsoleWarningList,
    errors: ["cursor_invalid"],
  },
  ({ query }) => listConsoleWarnings(query),
);
