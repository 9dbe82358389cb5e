import { previewPrices } from "@/lib/merchants/bulk/change-prices";
import { BulkPreview } from "@/lib/merchants/bulk/contract";
import { merchant } from "@/lib/merchants/rules";
import { fileEndpoint } from "@/lib/platform/api/endpoint";
import { IMPORT_LIMIT_BYTES } from "@/lib/platform/imports/rules";

export const POST = fileEndpoint(
  {
    summary: "Preview a file of prices",
    description:
      "The file of /merchant/prices.csv with changed prices: what buyers would see, and each line that breaks a rule of prices. Nothing is written, and nothing is kept.",
    access: merchant("products.write"),
    file: { types: ["text/csv"], limitBytes: IMPORT_LIMIT_BYTES },
    result: BulkPreview,
    errors: [],
    rate: [{ limit: 120, seconds: 3600, by: "user" }],
  },
  ({ viewer, file, locale }) => previewPrices(viewer, file, locale),
);
