import { merchant } from "@/lib/merchants/rules";
import { MerchantSaleList, MerchantSalesInput } from "@/lib/merchants/sales/contract";
import { listMerchantSales } from "@/lib/merchants/sales/list-merchant-sales";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Sales with commission, net amount and the day it becomes payable",
    description:
      "50 a page, newest first. Buyers are pseudonyms. `totals` are the sums of what the filters show; with more than 2,000 sales those of the newest ones, and `exact` is false.",
    access: merchant("sales.read"),
    query: MerchantSalesInput,
    result: MerchantSaleList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query, locale }) => listMerchantSales(viewer, query, locale),
);
