import { endpoint } from "@/lib/platform/api/endpoint";
import { ConsoleMerchantList, ConsoleMerchantsInput } from "@/lib/staff/merchants/contract";
import { listConsoleMerchants } from "@/lib/staff/merchants/queries";
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
