import { merchant } from "@/lib/merchants/rules";
import { DocumentQuery, TradeFile } from "@/lib/merchants/trade-file/contract";
import { addDocument } from "@/lib/merchants/trade-file/documents";
import { DOCUMENT_LIMIT_BYTES, DOCUMENT_TYPES } from "@/lib/merchants/trade-file/rules";
import { fileEndpoint } from "@/lib/platform/api/endpoint";

export const POST = fileEndpoint(
  {
    summary: "Add a document to the trader file",
    description:
      "PDF, PNG or JPEG of at most 8 MB; its bytes decide. It is sealed before it is stored, and no call gives it back to the merchant.",
    access: merchant("trade.write"),
    file: { types: DOCUMENT_TYPES, limitBytes: DOCUMENT_LIMIT_BYTES },
    query: DocumentQuery,
    result: TradeFile,
    errors: ["document_type", "documents_full"],
    rate: [{ limit: 60, seconds: 3600, by: "user" }],
  },
  ({ viewer, query, file }) => addDocument(viewer, query, file),
);
