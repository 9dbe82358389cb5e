import { CALL_COSTS } from "@/lib/agents/http/check-request";
import { restEndpoint } from "@/lib/agents/http/serve-rest";
import { ProductRequest } from "@/lib/agents/ucp/contract";
import { getCatalogProduct } from "@/lib/agents/ucp/get-catalog-product";

export const dynamic = "force-dynamic";

export const POST = restEndpoint(
  { name: "get_product", input: ProductRequest, cost: CALL_COSTS.read },
  ({ input, locale }) => getCatalogProduct(input, locale),
);
