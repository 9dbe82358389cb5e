import { MerchantParams } from "@/lib/merchants/console/contract-merchants";
import { listConsoleSales } from "@/lib/merchants/console/list-console-sales";
import { MerchantSaleList, MerchantSalesInput } from "@/lib/merchants/sales/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
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
