import { InvoiceQuery } from "@/lib/orders/invoice/contract";
import { getInvoice } from "@/lib/orders/invoice/get-invoice";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary, pdfResponse } from "@/lib/platform/api/response";
import { READ_COSTS } from "@/lib/platform/expensive-work";

export const GET = endpoint(
  {
    summary: "The invoice of a paid order as a PDF",
    description:
      "Billed to `address_id`, else to the default billing address. Its number is the order's number.",
    access: "user",
    query: InvoiceQuery,
    result: binary("application/pdf"),
    errors: ["order_unknown", "address_unknown", "documents_busy"],
    readCost: READ_COSTS.invoice,
  },
  async ({ query, viewer, locale }) => {
    const { fileName, file } = await getInvoice(viewer, query, locale);
    return pdfResponse(file, fileName);
  },
);
