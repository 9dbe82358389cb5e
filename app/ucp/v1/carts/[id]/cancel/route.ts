import { getAgentCart } from "@/lib/agents/carts/read-agent-cart";
import { CALL_COSTS } from "@/lib/agents/http/check-request";
import { restEndpoint } from "@/lib/agents/http/serve-rest";

export const dynamic = "force-dynamic";

/** Nothing is stored, so there is nothing to remove: the answer is the cart that the agent may forget. */
export const POST = restEndpoint({ name: "cancel_cart", cost: CALL_COSTS.read }, ({ params, locale }) =>
  getAgentCart(params.id ?? "", locale),
);
