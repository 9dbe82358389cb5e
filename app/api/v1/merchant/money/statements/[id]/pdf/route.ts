import { merchant } from "@/lib/merchants/rules";
import { StatementParams } from "@/lib/payouts/statements/contract";
import { statementPdf } from "@/lib/payouts/statements/get-statement";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary, pdfResponse } from "@/lib/platform/api/response";

export const GET = endpoint(
  {
    summary: "A statement as PDF",
    description: "The same cents as /merchant/money/statements/{id}.",
    access: merchant("money.read"),
    params: StatementParams,
    result: binary("application/pdf"),
    errors: ["statement_unknown", "documents_busy"],
  },
  async ({ viewer, params, locale }) =>
    pdfResponse(await statementPdf(viewer, params.id, locale), `${params.id}.pdf`),
);
