import { withoutCodes } from "@/lib/delivery/code-text/without-codes";
import { MerchantParams } from "@/lib/merchants/console/contract-merchants";
import { TradeAskInput, TradeDecided } from "@/lib/merchants/console/contract-trade-files";
import { askForTradeFields } from "@/lib/merchants/console/trade-files";
import { endpoint } from "@/lib/platform/api/endpoint";
import { effects } from "@/lib/staff/preview/effects";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Ask a merchant's owners for fields and documents again",
    description: "They are missing until they are given anew; the owners are mailed the note.",
    access: staff("trade.check", { reauthenticated: true }),
    params: MerchantParams,
    body: TradeAskInput,
    texts: withoutCodes(({ body }: { body: TradeAskInput }) => [body.note]),
    previewable: effects,
    result: TradeDecided,
    errors: ["merchant_unknown", "document_unknown", "revision_conflict", "nothing_changes"],
  },
  ({ viewer, params, body }) => askForTradeFields(viewer, params.id, body),
);
