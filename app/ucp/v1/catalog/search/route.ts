import { DOOR_COSTS } from "@/lib/agents/door/enter-door";
import { restDoor } from "@/lib/agents/door/serve-rest";
import { SearchRequest } from "@/lib/agents/ucp/contract";
import { searchCatalog } from "@/lib/agents/ucp/search-catalog";

export const dynamic = "force-dynamic";

export const POST = restDoor(
  { name: "search_catalog", input: SearchRequest, cost: DOOR_COSTS.search },
  ({ input, locale }) => searchCatalog(input, locale),
);
