import { endpoint } from "@/lib/platform/api/endpoint";
import { ConsoleMerchantDetail, MerchantParams } from "@/lib/staff/merchants/contract";
import { getConsoleMerchant } from "@/lib/staff/merchants/queries";
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
