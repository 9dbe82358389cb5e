import { readBankFile } from "@/lib/payouts/bank-files/read-bank-file";
import { IdParams } from "@/lib/payouts/console/contract";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "A bank file",
    description: "The same at each download, with whole account numbers; each download is audited.",
    access: staff("payouts.manage", { reauthenticated: true }),
    params: IdParams,
    result: binary("application/xml"),
    errors: ["bank_file_unknown"],
  },
  async ({ viewer, params }) => {
    const { name, type, content } = await readBankFile(viewer, params.id);
    return new Response(content, {
      headers: {
        "content-type": `${type}; charset=utf-8`,
        "content-disposition": `attachment; filename="${name}"`,
        "cache-control": "private, no-store",
      },
    });
  },
);
