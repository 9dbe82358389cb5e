import { CALL_COSTS } from "@/lib/agents/http/check-request";
import { restEndpoint } from "@/lib/agents/http/serve-rest";
import { SearchRequest } from "@/lib/agents/ucp/contract";
import { searchCatalog } from "@/lib/agents/ucp/search-catalog";

export const dynamic = "force-dynamic";

export const POST = restEndpoint(
  { name: "search_catalog", input: SearchRequest, cost: CALL_COSTS.search },
  ({ input, locale }) => searchCatalog(input, locale),
);
