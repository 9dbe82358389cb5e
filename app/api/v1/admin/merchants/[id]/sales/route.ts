import { MerchantSaleList, MerchantSalesInput } from "@/lib/merchants/sales/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { MerchantParams } from "@/lib/staff/merchants/contract";
import { listConsoleSales } from "@/lib/staff/merchants/queries";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The sales of a merchant, as it sees them",
    access: staff("merchants.read"),
    params: MerchantParams,
    query: MerchantSalesInput,
    result: MerchantSaleList,
    errors: ["merchant_unknown", "cursor_invalid"],
  },
  ({ params, query, locale }) => listConsoleSales(params.id, query, locale),
);
