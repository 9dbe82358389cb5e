import { DOOR_COSTS } from "@/lib/agents/door/enter-door";
import { restDoor } from "@/lib/agents/door/serve-rest";
import { LookupRequest } from "@/lib/agents/ucp/contract";
import { lookupCatalog } from "@/lib/agents/ucp/lookup-catalog";

export const dynamic = "force-dynamic";

export const POST = restDoor(
  { name: "lookup_catalog", input: LookupRequest, cost: DOOR_COSTS.read },
  ({ input, locale }) => lookupCatalog(input, locale),
);
