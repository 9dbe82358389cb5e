import { TaxesInput } from "@/lib/orders/console/contract-taxes";
import { taxReportCsv } from "@/lib/orders/console/list-taxes";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The taxes of a quarter as CSV",
    description:
      "Net and tax by scheme (`oss`: the EU's one-stop shop), country, rate and period; a period before the quarter is a correction. The last line is the sum. Euros are those of the quarter's last day; while their rate is not known there is no report.",
    access: staff("payouts.read"),
    query: TaxesInput,
    result: binary("text/csv"),
    errors: ["tax_rate_missing"],
  },
  async ({ query }) => {
    const { quarter, text } = await taxReportCsv(query);
    return new Response(text, {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="taxes-${quarter}.csv"`,
        "cache-control": "private, no-store",
      },
    });
  },
);
