import { SearchProductsInput } from "@/lib/catalog/contract";
import { SearchResults } from "@/lib/catalog/search/contract";
import { searchProducts } from "@/lib/catalog/search/search-products";
import { endpoint } from "@/lib/platform/api/endpoint";
import { READ_COSTS } from "@/lib/platform/expensive-work";

export const POST = endpoint(
  {
    summary: "Search products by words of any language, vendor, category or kind of pass, tolerating typos",
    access: "public",
    body: SearchProductsInput,
    result: SearchResults,
    errors: [],
    readCost: READ_COSTS.search,
  },
  ({ body, locale }) => searchProducts(body, locale),
);
