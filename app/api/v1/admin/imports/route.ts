import { endpoint } from "@/lib/platform/api/endpoint";
import { ImportRunList, ImportsInput } from "@/lib/staff/imports/contract";
import { listImports } from "@/lib/staff/imports/list-imports";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "Imports",
    description: "50 a page, newest first, of the kinds that the viewer may import.",
    access: staff("imports.read"),
    query: ImportsInput,
    result: ImportRunList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query }) => listImports(viewer, query),
);
