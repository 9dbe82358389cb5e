import { merchant } from "@/lib/merchants/rules";
import { StatementList, StatementMade } from "@/lib/payouts/statements/contract";
import { listStatements } from "@/lib/payouts/statements/get-statement";
import { makeStatement } from "@/lib/payouts/statements/make-statement";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The statements of the merchant's account",
    description: "The newest 100. One is made after each month; none ever changes.",
    access: merchant("money.read"),
    result: StatementList,
    errors: [],
  },
  ({ viewer }) => listStatements(viewer),
);

export const POST = endpoint(
  {
    summary: "Make a statement now",
    description: "From the end of the one before until now.",
    access: merchant("payouts.manage", { whileSuspended: true }),
    result: StatementMade,
    errors: ["nothing_to_state"],
  },
  ({ viewer }) => makeStatement(viewer),
);
