import { MerchantProduct, ProductParams } from "@/lib/merchants/changes/contract";
import { getMerchantProduct } from "@/lib/merchants/changes/get-merchant-product";
import { merchant } from "@/lib/merchants/rules";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "One of the merchant's products with its line",
    description:
      "The line as the catalogue file has it, its revision, what buyers see of each plan with the history of its prices, and the open changes.",
    access: merchant("products.read"),
    params: ProductParams,
    result: MerchantProduct,
    errors: ["product_unknown"],
  },
  ({ viewer, params, locale }) => getMerchantProduct(viewer, params.id, locale),
);
