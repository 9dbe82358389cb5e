import { getAgentCart, updateAgentCart } from "@/lib/agents/carts/read-agent-cart";
import { DOOR_COSTS } from "@/lib/agents/door/enter-door";
import { restDoor } from "@/lib/agents/door/serve-rest";
import { CartRequest } from "@/lib/agents/ucp/contract";

export const dynamic = "force-dynamic";

export const GET = restDoor({ name: "get_cart", cost: DOOR_COSTS.read }, ({ params, locale }) =>
  getAgentCart(params.id ?? "", locale),
);

export const PUT = restDoor(
  { name: "update_cart", input: CartRequest, cost: DOOR_COSTS.read },
  ({ params, input, agent, locale }) => updateAgentCart(params.id ?? "", input, agent, locale),
);
