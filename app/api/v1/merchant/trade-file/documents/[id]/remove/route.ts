import { merchant } from "@/lib/merchants/rules";
import { DocumentParams, TradeFile } from "@/lib/merchants/trade-file/contract";
import { removeDocument } from "@/lib/merchants/trade-file/documents";
import { endpoint } from "@/lib/platform/api/endpoint";

export const POST = endpoint(
  {
    summary: "Delete a document of the trader file",
    access: merchant("trade.write"),
    params: DocumentParams,
    result: TradeFile,
    errors: ["document_unknown"],
  },
  ({ viewer, params }) => removeDocument(viewer, params.id),
);
