import { priceFile } from "@/lib/catalog/bulk/price-file";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { csvFile } from "@/lib/platform/console/csv";
import { staff } from "@/lib/staff/rules";

export const GET = endpoint(
  {
    summary: "The prices of all plans on sale as CSV",
    description:
      "To be changed and sent to /admin/imports/prices/preview: `vip_id` names the plan, `price` is its price.",
    access: staff("imports.run"),
    result: binary("text/csv"),
    errors: [],
  },
  ({ locale }) => csvFile("prices", priceFile({ locale })),
);
