import { getAgentCart, updateAgentCart } from "@/lib/agents/carts/read-agent-cart";
import { CALL_COSTS } from "@/lib/agents/http/check-request";
import { restEndpoint } from "@/lib/agents/http/serve-rest";
import { CartRequest } from "@/lib/agents/ucp/contract";

export const dynamic = "force-dynamic";

export const GET = restEndpoint({ name: "get_cart", cost: CALL_COSTS.read }, ({ params, locale }) =>
  getAgentCart(params.id ?? "", locale),
);

export const PUT = restEndpoint(
  { name: "update_cart", input: CartRequest, cost: CALL_COSTS.read },
  ({ params, input, agent, locale }) => updateAgentCart(params.id ?? "", input, agent, locale),
);
