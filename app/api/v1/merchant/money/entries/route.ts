import { merchant } from "@/lib/merchants/rules";
import { MoneyEntriesInput, MoneyEntryList } from "@/lib/payouts/money/contract";
import { listMoneyEntries } from "@/lib/payouts/money/list-money-entries";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The entries of the merchant's account",
    description:
      "50 a page, newest first. Each sale is an entry, and each refund, lost dispute or correction that changes the merchant's share of it.",
    access: merchant("money.read"),
    query: MoneyEntriesInput,
    result: MoneyEntryList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query, locale }) => listMoneyEntries(viewer, query, locale),
);
