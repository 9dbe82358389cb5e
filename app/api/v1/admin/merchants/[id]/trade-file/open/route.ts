import { MerchantParams } from "@/lib/merchants/console/contract-merchants";
import { TradeDocumentInput } from "@/lib/merchants/console/contract-trade-files";
import { openDocument } from "@/lib/merchants/trade-file/documents";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Open a document of a trader file",
    description: "The opening is in the audit log before the bytes are sent.",
    access: staff("trade.documents", { reauthenticated: true }),
    params: MerchantParams,
    body: TradeDocumentInput,
    result: binary("application/octet-stream"),
    errors: ["document_unknown"],
    replay: false,
    rate: [{ limit: 120, seconds: 3600, by: "user" }],
  },
  async ({ viewer, params, body }) => {
    const { content, mediaType } = await openDocument(viewer, { id: params.id, document: body.document });
    return new Response(new Uint8Array(content), {
      headers: {
        "Content-Type": mediaType,
        "Content-Disposition": "attachment",
        "Cache-Control": "private, no-store",
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox; default-src 'none'",
      },
    });
  },
);
