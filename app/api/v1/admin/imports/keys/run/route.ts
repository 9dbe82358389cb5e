import { fileEndpoint } from "@/lib/platform/api/endpoint";
import { IMPORT_LIMIT_BYTES } from "@/lib/platform/imports/rules";
import { ImportRunQuery, ImportStarted } from "@/lib/staff/imports/contract";
import { IMPORT_TYPES } from "@/lib/staff/imports/rules";
import { runImport } from "@/lib/staff/imports/run-import";
import { staff } from "@/lib/staff/rules";

export const POST = fileEndpoint(
  {
    summary: "Import a file of activation codes",
    description:
      "The file must have the hash of its preview. The import continues after the response; `/admin/imports/{id}` has its progress. The same file again changes nothing.",
    access: staff("imports.run"),
    file: { types: [IMPORT_TYPES.keys], limitBytes: IMPORT_LIMIT_BYTES },
    query: ImportRunQuery,
    result: ImportStarted,
    errors: ["import_file_differs"],
    rate: [{ limit: 120, seconds: 3600, by: "user" }],
  },
  ({ viewer, file, query }) => runImport(viewer, "keys", file, query),
);
