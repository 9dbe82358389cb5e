import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { csvFile } from "@/lib/platform/console/csv";
import { CatalogueExportInput } from "@/lib/staff/exports/contract";
import { exportImpersonalList } from "@/lib/staff/exports/export-list";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Export the list of products or of codes by plan as CSV",
    description:
      "With the filters of the list. Cells that a spreadsheet would run as a formula start with an apostrophe. Codes are counted, as on the screen; none is in the file.",
    access: staff("products.read"),
    body: CatalogueExportInput,
    result: binary("text/csv"),
    errors: [],
    replay: false,
    rate: [{ limit: 20, seconds: 3600, by: "user" }],
  },
  async ({ viewer, body, locale }) => csvFile(body.list, await exportImpersonalList(viewer, body, locale)),
);
