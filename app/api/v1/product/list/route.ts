import { ListProductsInput, ProductList } from "@/lib/catalog/contract";
import { listProducts } from "@/lib/catalog/listing/list-products";
import { endpoint } from "@/lib/platform/api/endpoint";
import { READ_COSTS } from "@/lib/platform/expensive-work";

export const GET = endpoint(
  {
    summary: "List products, filtered and sorted",
    access: "public",
    coalesced: true,
    query: ListProductsInput,
    result: ProductList,
    errors: [],
    readCost: READ_COSTS.list,
  },
  ({ query, locale }) => listProducts(query, locale),
);
