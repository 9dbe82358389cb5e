import { endpoint } from "@/lib/platform/api/endpoint";
import { ImportParams, ImportRun } from "@/lib/staff/imports/contract";
import { getImport } from "@/lib/staff/imports/list-imports";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "An import with its progress and refused lines",
    description: "The report has numbers of lines and reasons, never a code.",
    access: staff("imports.read"),
    params: ImportParams,
    result: ImportRun,
    errors: ["import_unknown"],
  },
  ({ viewer, params }) => getImport(viewer, params.id),
);
