import { fileEndpoint } from "@/lib/platform/api/endpoint";
import { IMPORT_LIMIT_BYTES } from "@/lib/platform/imports/rules";
import { ImportPreview } from "@/lib/staff/imports/contract";
import { previewImport } from "@/lib/staff/imports/preview-import";
import { IMPORT_TYPES } from "@/lib/staff/imports/rules";
import { staff } from "@/lib/staff/rules";

export const POST = fileEndpoint(
  {
    summary: "Preview a file of prices",
    description:
      "The file of `/admin/products/prices.csv` with changed prices: what buyers would see, and each line that breaks a rule of prices. Nothing is written, and the file is not kept.",
    access: staff("imports.run"),
    file: { types: [IMPORT_TYPES.prices], limitBytes: IMPORT_LIMIT_BYTES },
    result: ImportPreview,
    errors: [],
    rate: [{ limit: 120, seconds: 3600, by: "user" }],
  },
  ({ viewer, file }) => previewImport(viewer, "prices", file),
);
