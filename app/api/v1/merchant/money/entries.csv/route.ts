import { merchant } from "@/lib/merchants/rules";
import { MoneyEntryFilters } from "@/lib/payouts/money/contract";
import { moneyEntriesFile } from "@/lib/payouts/money/list-money-entries";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { csvFile } from "@/lib/platform/console/csv";

export const GET = endpoint(
  {
    summary: "The entries of the merchant's account as CSV",
    description: "All entries that the filters of /merchant/money/entries show, with the same values.",
    access: merchant("money.read"),
    query: MoneyEntryFilters,
    result: binary("text/csv"),
    errors: [],
  },
  async ({ viewer, query, locale }) => csvFile("money", moneyEntriesFile(viewer, query, locale)),
);
