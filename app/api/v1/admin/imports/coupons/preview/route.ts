import { fileEndpoint } from "@/lib/platform/api/endpoint";
import { IMPORT_LIMIT_BYTES } from "@/lib/platform/imports/rules";
import { CodesPreviewQuery, ImportPreview } from "@/lib/staff/imports/contract";
import { previewImport } from "@/lib/staff/imports/preview-import";
import { IMPORT_TYPES } from "@/lib/staff/imports/rules";
import { staff } from "@/lib/staff/rules";

export const POST = fileEndpoint(
  {
    summary: "Preview a file of campaigns and coupons",
    description: "What its import would do, line by line. Nothing is written, and the file is not kept.",
    access: staff("campaigns.manage", { reauthenticated: true }),
    file: { types: [IMPORT_TYPES.coupons], limitBytes: IMPORT_LIMIT_BYTES },
    query: CodesPreviewQuery,
    result: ImportPreview,
    errors: [],
    rate: [{ limit: 120, seconds: 3600, by: "user" }],
  },
  ({ viewer, file, query }) => previewImport(viewer, "coupons", file, query),
);
