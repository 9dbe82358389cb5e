import { MerchantParams } from "@/lib/merchants/console/contract-merchants";
import { ConsoleTradeFile } from "@/lib/merchants/console/contract-trade-files";
import { getConsoleTradeFile } from "@/lib/merchants/console/trade-files";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "A merchant's trader file",
    description: "Documents come without their content.",
    access: staff("trade.read"),
    params: MerchantParams,
    result: ConsoleTradeFile,
    errors: ["merchant_unknown"],
  },
  ({ params, locale }) => getConsoleTradeFile(params.id, locale),
);
