import { getAgentCart } from "@/lib/agents/carts/read-agent-cart";
import { DOOR_COSTS } from "@/lib/agents/door/enter-door";
import { restDoor } from "@/lib/agents/door/serve-rest";

export const dynamic = "force-dynamic";

/** Nothing is stored, so there is nothing to remove: the answer is the cart that the agent may forget. */
export const POST = restDoor({ name: "cancel_cart", cost: DOOR_COSTS.read }, ({ params, locale }) =>
  getAgentCart(params.id ?? "", locale),
);
