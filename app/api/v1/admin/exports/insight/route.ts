import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { csvFile } from "@/lib/platform/console/csv";
import { InsightExportInput } from "@/lib/staff/exports/contract";
import { exportImpersonalList } from "@/lib/staff/exports/export-list";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary: "Export the funnel by source or the searches that find nothing as CSV",
    description:
      "With the filters of the list. Cells that a spreadsheet would run as a formula start with an apostrophe.",
    access: staff("insight.read"),
    body: InsightExportInput,
    result: binary("text/csv"),
    errors: [],
    replay: false,
    rate: [{ limit: 20, seconds: 3600, by: "user" }],
  },
  async ({ viewer, body, locale }) => csvFile(body.list, await exportImpersonalList(viewer, body, locale)),
);
