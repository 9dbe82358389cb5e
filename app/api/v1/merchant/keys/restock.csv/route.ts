import { restockFile } from "@/lib/merchants/key-files/restock-file";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { csvFile } from "@/lib/platform/console/csv";

export const GET = endpoint(
  {
    summary: "A file of codes to fill in, for the plans that need some",
    description:
      "For each plan as many lines as /merchant/stock suggests, without codes. Filled in, it goes to /merchant/keys/preview.",
    access: merchant("keys.read"),
    result: binary("text/csv"),
    errors: [],
  },
  ({ viewer, locale }) => csvFile("restock", restockFile(viewer, locale)),
);
