import { KeyBatchParams } from "@/lib/merchants/key-files/contract";
import { refusedKeysCsv } from "@/lib/merchants/key-files/get-key-batch";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";

export const GET = endpoint(
  {
    summary: "The refused lines of a batch as CSV",
    description: "Line, name of the reason, and the reason. The server does not have the lines themselves.",
    access: merchant("keys.read"),
    params: KeyBatchParams,
    result: binary("text/csv"),
    errors: ["key_batch_unknown"],
  },
  async ({ viewer, params, locale }) =>
    new Response(await refusedKeysCsv(viewer, params.id, locale), {
      headers: {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": `attachment; filename="refused-${params.id}.csv"`,
        "Cache-Control": "private, no-store",
        "X-Content-Type-Options": "nosniff",
      },
    }),
);
