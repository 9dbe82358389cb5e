import { ConsoleMerchantList, ConsoleMerchantsInput } from "@/lib/merchants/console/contract-merchants";
import { listConsoleMerchants } from "@/lib/merchants/console/list-console-merchants";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Merchants",
    description:
      "50 a page, newest first, or with `name` by name. Members, products and sales of the last 30 days are counted to 20.",
    access: staff("merchants.read"),
    query: ConsoleMerchantsInput,
    result: ConsoleMerchantList,
    errors: ["cursor_invalid"],
  },
  ({ query }) => listConsoleMerchants(query),
);
