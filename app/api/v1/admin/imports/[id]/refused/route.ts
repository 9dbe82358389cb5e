import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { ImportParams } from "@/lib/staff/imports/contract";
import { refusedCsv } from "@/lib/staff/imports/list-imports";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The refused lines of an import as CSV",
    description: "Line, field and reason. The server does not have the lines themselves.",
    access: staff("imports.read"),
    params: ImportParams,
    result: binary("text/csv"),
    errors: ["import_unknown"],
  },
  async ({ viewer, params }) =>
    new Response(await refusedCsv(viewer, params.id), {
      headers: {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": `attachment; filename="refused-${params.id}.csv"`,
        "Cache-Control": "private, no-store",
        "X-Content-Type-Options": "nosniff",
      },
    }),
);
