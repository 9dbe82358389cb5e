import { merchant } from "@/lib/merchants/rules";
import { MerchantSalesFilters } from "@/lib/merchants/sales/contract";
import { merchantSalesFile } from "@/lib/merchants/sales/merchant-sales-file";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { csvFile } from "@/lib/platform/console/csv";

export const GET = endpoint(
  {
    summary: "The sales as CSV",
    description:
      "All sales that the filters of /merchant/sales show, with the same values. Cells that a spreadsheet would run as a formula start with an apostrophe.",
    access: merchant("sales.read"),
    query: MerchantSalesFilters,
    result: binary("text/csv"),
    errors: [],
  },
  async ({ viewer, query, locale }) => csvFile("sales", merchantSalesFile(viewer, query, locale)),
);
