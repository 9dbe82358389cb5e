import { createAgentCart } from "@/lib/agents/carts/read-agent-cart";
import { CALL_COSTS } from "@/lib/agents/http/check-request";
import { restEndpoint } from "@/lib/agents/http/serve-rest";
import { CartRequest } from "@/lib/agents/ucp/contract";

export const dynamic = "force-dynamic";

export const POST = restEndpoint(
  { name: "create_cart", input: CartRequest, cost: CALL_COSTS.read, status: 201 },
  ({ input, agent, locale }) => createAgentCart(input, agent, locale),
);
