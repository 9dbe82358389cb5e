import { ProductDetail, ProductParams } from "@/lib/catalog/contract";
import { getProductPage } from "@/lib/catalog/product/find-product-page";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "Show a product with its plans",
    access: "public",
    coalesced: true,
    params: ProductParams,
    result: ProductDetail,
    errors: ["product_unknown"],
  },
  ({ params, locale }) => getProductPage({ id: params.id, locale }),
);
