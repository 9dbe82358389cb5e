import { ConsoleMerchantDetail, MerchantParams } from "@/lib/merchants/console/contract-merchants";
import { getConsoleMerchant } from "@/lib/merchants/console/get-console-merchant";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "One merchant: team, invitations, tokens, products, sales of the last 30 days, history",
    access: staff("merchants.read"),
    params: MerchantParams,
    result: ConsoleMerchantDetail,
    errors: ["merchant_unknown"],
  },
  ({ params }) => getConsoleMerchant(params.id),
);
