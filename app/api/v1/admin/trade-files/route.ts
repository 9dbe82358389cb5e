import { TradeFileList, TradeFilesInput } from "@/lib/merchants/console/contract-trade-files";
import { listTradeFiles } from "@/lib/merchants/console/list-trade-files";
import { endpoint } from "@/lib/platform/api/endpoint";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Trader files of merchants",
    description:
      "Of merchants with an owner, 50 a page, the last changed first: what is missing and what waits for a check.",
    access: staff("trade.read"),
    query: TradeFilesInput,
    result: TradeFileList,
    errors: ["cursor_invalid"],
  },
  ({ query }) => listTradeFiles(query),
);
