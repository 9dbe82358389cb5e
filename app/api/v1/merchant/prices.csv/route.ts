import { priceFile } from "@/lib/catalog/bulk/price-file";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";
import { binary } from "@/lib/platform/api/response";
import { csvFile } from "@/lib/platform/console/csv";

export const GET = endpoint(
  {
    summary: "The prices of the merchant's plans as CSV",
    description:
      "To be changed and sent to /merchant/prices/preview: `vip_id` names the plan, `price` is its price.",
    access: merchant("products.read"),
    result: binary("text/csv"),
    errors: [],
  },
  ({ viewer, locale }) => csvFile("prices", priceFile({ merchantId: viewer.merchant.id, locale })),
);
