import { applyPrices } from "@/lib/merchants/bulk/change-prices";
import { ApplyPricesQuery, BulkApplied } from "@/lib/merchants/bulk/contract";
import { merchant } from "@/lib/merchants/rules";
import { fileEndpoint } from "@/lib/platform/api/endpoint";
import { IMPORT_LIMIT_BYTES } from "@/lib/platform/imports/rules";

export const POST = fileEndpoint(
  {
    summary: "Apply a file of prices",
    description:
      "The file must have the hash of its preview. One change a product: live immediately where the change of one price would be, else staff decide. A call takes some products; send the file again with `after` = `next` until `next` is null. The same file again changes nothing.",
    access: merchant("products.write", { reauthenticated: true }),
    file: { types: ["text/csv"], limitBytes: IMPORT_LIMIT_BYTES },
    query: ApplyPricesQuery,
    result: BulkApplied,
    errors: ["import_file_differs"],
    rate: [{ limit: 3_600, seconds: 3600, by: "user" }],
  },
  ({ viewer, file, query, locale }) => applyPrices(viewer, file, { ...query, locale }),
);
