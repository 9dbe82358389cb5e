import { MerchantProductList, MerchantProductsInput } from "@/lib/merchants/changes/contract";
import { listMerchantProducts } from "@/lib/merchants/changes/list-merchant-products";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "The merchant's products",
    description:
      "50 a page, newest first, with state, plans, stock counted to 100, and the newest open change of each. Totals are counted to 1,000.",
    access: merchant("products.read"),
    query: MerchantProductsInput,
    result: MerchantProductList,
    errors: ["cursor_invalid"],
  },
  ({ viewer, query, locale }) => listMerchantProducts(viewer, query, locale),
);
