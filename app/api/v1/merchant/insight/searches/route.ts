import { ProductSearches } from "@/lib/merchants/insight/contract";
import { listProductSearches } from "@/lib/merchants/insight/get-insight";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Searches that show the merchant's products",
    description:
      "The 50 most frequent of the last 28 days, counted every night. Searches that were made fewer than 3 times are left out.",
    access: merchant("insight.read"),
    result: ProductSearches,
    errors: [],
  },
  ({ viewer, locale }) => listProductSearches(viewer, locale),
);
