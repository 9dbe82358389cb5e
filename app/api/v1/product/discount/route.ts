import { ProductList } from "@/lib/catalog/contract";
import { listDiscountedProducts } from "@/lib/catalog/listing/list-products";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "List products with a running deal",
    access: "public",
    coalesced: true,
    result: ProductList,
    errors: [],
  },
  ({ locale }) => listDiscountedProducts(locale),
);
