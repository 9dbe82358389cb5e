import { createAgentCart } from "@/lib/agents/carts/read-agent-cart";
import { DOOR_COSTS } from "@/lib/agents/door/enter-door";
import { restDoor } from "@/lib/agents/door/serve-rest";
import { CartRequest } from "@/lib/agents/ucp/contract";

export const dynamic = "force-dynamic";

export const POST = restDoor(
  { name: "create_cart", input: CartRequest, cost: DOOR_COSTS.read, status: 201 },
  ({ input, agent, locale }) => createAgentCart(input, agent, locale),
);
