import { merchant } from "@/lib/merchants/rules";
import { TradeDetailsInput, TradeFile } from "@/lib/merchants/trade-file/contract";
import { getTradeFile } from "@/lib/merchants/trade-file/get-trade-file";
import { saveTradeDetails } from "@/lib/merchants/trade-file/save-details";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The merchant's trader file",
    description:
      "Who sells, before the law: each field is missing, given, checked or expired. Documents come without their content.",
    access: merchant("trade.read"),
    result: TradeFile,
    errors: [],
  },
  ({ viewer }) => getTradeFile(viewer),
);

export const POST = endpoint(
  {
    summary: "Save the details of the trader file",
    description:
      "All typed details; an empty text takes one back. A changed field is `given` again, whatever was checked. `revision` is the one that was read.",
    access: merchant("trade.write"),
    body: TradeDetailsInput,
    result: TradeFile,
    errors: ["revision_conflict", "email_invalid"],
  },
  ({ viewer, body, locale }) => saveTradeDetails(viewer, body, locale),
);
