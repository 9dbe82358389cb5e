import { DOOR_COSTS } from "@/lib/agents/door/enter-door";
import { restDoor } from "@/lib/agents/door/serve-rest";
import { ProductRequest } from "@/lib/agents/ucp/contract";
import { getCatalogProduct } from "@/lib/agents/ucp/get-catalog-product";

export const dynamic = "force-dynamic";

export const POST = restDoor(
  { name: "get_product", input: ProductRequest, cost: DOOR_COSTS.read },
  ({ input, locale }) => getCatalogProduct(input, locale),
);
