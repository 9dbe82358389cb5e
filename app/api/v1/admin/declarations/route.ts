import { ConsoleDeclarationList, ConsoleDeclarationsInput } from "@/lib/orders/console/contract-declarations";
import { listConsoleDeclarations } from "@/lib/orders/console/list-console-declarations";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Declarations of withdrawal",
    description:
      "50 a page: those that nobody has proved, the oldest first; `proved` and `closed` the newest first. `due_at` is the end of the statutory time for the refund.",
    access: staff("refunds.decide"),
    query: ConsoleDeclarationsInput,
    result: ConsoleDeclarationList,
    errors: ["cursor_invalid"],
  },
  ({ query }) => listConsoleDeclarations(query),
);
