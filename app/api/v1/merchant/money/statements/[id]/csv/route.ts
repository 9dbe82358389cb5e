import { merchant } from "@/lib/merchants/rules";
import { StatementParams } from "@/lib/payouts/statements/contract";
import { statementCsv } from "@/lib/payouts/statements/get-statement";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";

export const GET = endpoint(
  {
    summary: "A statement as CSV",
    description: "The same cents as /merchant/money/statements/{id}.",
    access: merchant("money.read"),
    params: StatementParams,
    result: binary("text/csv"),
    errors: ["statement_unknown"],
  },
  async ({ viewer, params, locale }) =>
    new Response(await statementCsv(viewer, params.id, locale), {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": `attachment; filename="${params.id}.csv"`,
        "cache-control": "private, no-store",
      },
    }),
);
