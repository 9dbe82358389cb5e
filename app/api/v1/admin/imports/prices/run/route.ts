import { fileEndpoint } from "@/lib/platform/api/endpoint";
import { IMPORT_LIMIT_BYTES } from "@/lib/platform/imports/rules";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { ImportStarted, PricesRunQuery } from "@/lib/staff/imports/contract";
import { IMPORT_TYPES } from "@/lib/staff/imports/rules";
import { runImport } from "@/lib/staff/imports/run-import";
import { staff } from "@/lib/staff/rules";

export const POST = fileEndpoint(
  {
    summary: "Import a file of prices",
    description:
      "The file must have the hash of its preview. The import continues after the response; `/admin/imports/{id}` has its progress. The same file again changes nothing. More than 100 changes need a second person, as for a catalogue.",
    access: staff("imports.run"),
    file: { types: [IMPORT_TYPES.prices], limitBytes: IMPORT_LIMIT_BYTES },
    query: PricesRunQuery,
    result: ImportStarted,
    approval: secondPerson("bulk_import"),
    errors: ["import_file_differs"],
    rate: [{ limit: 120, seconds: 3600, by: "user" }],
  },
  ({ viewer, file, query }) => runImport(viewer, "prices", file, query),
);
