import { ProductList, SearchProductsInput } from "@/lib/catalog/contract";
import { searchProducts } from "@/lib/catalog/queries";
import { endpoint } from "@/lib/endpoint";

export const POST = endpoint(
  {
    summary: "Search products by name, maker, category or kind of pass",
    access: "public",
    body: SearchProductsInput,
    result: ProductList,
    errors: [],
  },
  ({ body, locale }) => searchProducts(body, locale),
);
