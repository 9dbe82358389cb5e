import { DeclarationReceiptQuery } from "@/lib/orders/withdrawal/contract";
import { getDeclarationReceipt } from "@/lib/orders/withdrawal/get-declaration-receipt";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary, pdfResponse } from "@/lib/platform/api/response";
import { READ_COSTS } from "@/lib/platform/expensive-work";

export const GET = endpoint(
  {
    summary: "The receipt of a declaration of withdrawal as a PDF",
    description: "`receipt` is what `/order/withdraw/declare` answered.",
    access: "public",
    query: DeclarationReceiptQuery,
    result: binary("application/pdf"),
    errors: ["link_invalid", "documents_busy"],
    readCost: READ_COSTS.invoice,
  },
  async ({ query, locale }) => {
    const { fileName, file } = await getDeclarationReceipt(query.receipt, locale);
    return pdfResponse(file, fileName);
  },
);
