import { CALL_COSTS } from "@/lib/agents/http/check-request";
import { restEndpoint } from "@/lib/agents/http/serve-rest";
import { LookupRequest } from "@/lib/agents/ucp/contract";
import { lookupCatalog } from "@/lib/agents/ucp/lookup-catalog";

export const dynamic = "force-dynamic";

export const POST = restEndpoint(
  { name: "lookup_catalog", input: LookupRequest, cost: CALL_COSTS.read },
  ({ input, locale }) => lookupCatalog(input, locale),
);
