import { SearchProductsInput } from "@/lib/catalog/contract";
import { SearchResults } from "@/lib/catalog/contract-search";
import { searchProducts } from "@/lib/catalog/queries-search";
import { endpoint } from "@/lib/endpoint";

export const POST = endpoint(
  {
    summary:
      "Search products by words of any language, maker, category or kind of pass; slips of the finger are mended",
    access: "public",
    body: SearchProductsInput,
    result: SearchResults,
    errors: [],
  },
  ({ body, locale }) => searchProducts(body, locale),
);
