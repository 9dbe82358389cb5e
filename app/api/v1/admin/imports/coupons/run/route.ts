import { fileEndpoint } from "@/lib/platform/api/endpoint";
import { IMPORT_LIMIT_BYTES } from "@/lib/platform/imports/rules";
import { secondPerson } from "@/lib/staff/approvals/second-person";
import { ImportRunQuery, ImportStarted } from "@/lib/staff/imports/contract";
import { IMPORT_TYPES } from "@/lib/staff/imports/rules";
import { runImport } from "@/lib/staff/imports/run-import";
import { staff } from "@/lib/staff/rules";

export const POST = fileEndpoint(
  {
    summary: "Import a file of campaigns and coupons",
    description:
      "The file must have the hash of its preview. The import continues after the response; `/admin/imports/{id}` has its progress. The same file again changes nothing. Coupons of more than $5,000 of face value per person and day need a second person: `approval_required`; the call is repeated after the approval.",
    access: staff("campaigns.manage", { reauthenticated: true }),
    file: { types: [IMPORT_TYPES.coupons], limitBytes: IMPORT_LIMIT_BYTES },
    query: ImportRunQuery,
    result: ImportStarted,
    approval: secondPerson("coupon_import"),
    errors: ["import_file_differs"],
    rate: [{ limit: 120, seconds: 3600, by: "user" }],
  },
  ({ viewer, file, query }) => runImport(viewer, "coupons", file, query),
);
