import { TaxesInput, TaxLedger } from "@/lib/orders/console/contract-taxes";
import { listTaxes } from "@/lib/orders/console/list-taxes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The taxes of a quarter",
    description:
      "What is declared by country, rate and period, the newest 200 invoices and credit notes, and the sums of documents and ledger, which are equal. Amounts in USD.",
    access: staff("payouts.read"),
    query: TaxesInput,
    result: TaxLedger,
    errors: [],
  },
  ({ query }) => listTaxes(query),
);
