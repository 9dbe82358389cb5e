import { ProductList } from "@/lib/catalog/contract";
import { listHotProducts } from "@/lib/catalog/listing/list-products";
import { endpoint } from "@/lib/platform/api/endpoint";

export const GET = endpoint(
  {
    summary: "List the products in demand",
    access: "public",
    coalesced: true,
    result: ProductList,
    errors: [],
  },
  ({ locale }) => listHotProducts(locale),
);
