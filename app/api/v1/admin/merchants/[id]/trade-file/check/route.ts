import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { MerchantParams } from "@/lib/merchants/console/contract-merchants";
import { TradeCheckInput, TradeDecided } from "@/lib/merchants/console/contract-trade-files";
import { checkTradeFile } from "@/lib/merchants/console/trade-files";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Mark fields and documents of a trader file as checked",
    access: staff("trade.check", { reauthenticated: true }),
    params: MerchantParams,
    body: TradeCheckInput,
    texts: withoutCodes(({ body }: { body: TradeCheckInput }) => [body.note]),
    previewable: effects,
    result: TradeDecided,
    errors: ["merchant_unknown", "document_unknown", "revision_conflict", "nothing_changes"],
  },
  ({ viewer, params, body }) => checkTradeFile(viewer, params.id, body),
);
