import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { csvFile } from "@/lib/platform/console/csv";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { ExportInput } from "@/lib/staff/exports/contract";
import { exportList } from "@/lib/staff/exports/export-list";
import { staff } from "@/lib/staff/rules";

export const POST = endpoint(
  {
    summary:
      "Export a list of orders, customers, emails, applications, refunds, disputes or replacements as CSV",
    description:
      "With the filters of the list. Cells that a spreadsheet would run as a formula start with an apostrophe. More than 10,000 rows need a second person: the call answers 40941 with the approval's id, and sends the file when it is repeated after the approval.",
    access: staff("exports.persons", { reauthenticated: true }),
    body: ExportInput,
    result: binary("text/csv"),
    approval: secondPerson("export_persons"),
    errors: [],
    replay: false,
    rate: [{ limit: 20, seconds: 3600, by: "user" }],
  },
  async ({ viewer, body, locale }) => csvFile(body.list, await exportList(viewer, body, locale)),
);
