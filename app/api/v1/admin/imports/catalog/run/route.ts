import { fileEndpoint } from "@/lib/platform/api/endpoint";
import { IMPORT_LIMIT_BYTES } from "@/lib/platform/imports/rules";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { CatalogRunQuery, ImportStarted } from "@/lib/staff/imports/contract";
import { IMPORT_TYPES } from "@/lib/staff/imports/rules";
import { runImport } from "@/lib/staff/imports/run-import";
import { staff } from "@/lib/staff/rules";

export const POST = fileEndpoint(
  {
    summary: "Import a catalogue file",
    description:
      "The file must have the hash of its preview. The import continues after the response; `/admin/imports/{id}` has its progress. The same file again changes nothing. More than 100 changes need a second person: the call answers 40941 with the approval's id, and runs when it is repeated after the approval.",
    access: staff("imports.run"),
    file: { types: [IMPORT_TYPES.catalog], limitBytes: IMPORT_LIMIT_BYTES },
    query: CatalogRunQuery,
    result: ImportStarted,
    approval: secondPerson("bulk_import"),
    errors: ["import_file_differs"],
    rate: [{ limit: 120, seconds: 3600, by: "user" }],
  },
  ({ viewer, file, query }) =>
    runImport(viewer, "catalog", file, { ...query, takeOver: query.take_over ?? false }),
);
