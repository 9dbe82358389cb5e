import { LedgerList } from "@/lib/payouts/console/contract";
import { listLedger } from "@/lib/payouts/console/list-ledger";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The ledger",
    description:
      "The newest 200 entries, with the balance of each account (debit above zero). `imbalance` is the sum of all entries: always 0. `statements` are the newest 100 of all merchants.",
    access: staff("payouts.read"),
    result: LedgerList,
    errors: [],
  },
  () => listLedger(),
);
