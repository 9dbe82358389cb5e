import { LedgerInput, LedgerList } from "@/lib/payouts/console/contract";
import { listLedger } from "@/lib/payouts/console/list-ledger";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The ledger",
    description:
      "Entries, 50 a page, newest first, those of a transfer together, with the balance of each account (debit above zero). `imbalance` is the sum of all entries: always 0. `statements` are the newest 100 of all merchants.",
    access: staff("payouts.read"),
    query: LedgerInput,
    result: LedgerList,
    errors: ["cursor_invalid"],
  },
  ({ query }) => listLedger(query),
);
