import { createShopServer } from "@/lib/agents/mcp/create-shop-server";
import { mcpEndpoint } from "@/lib/agents/mcp/serve-mcp";

export const dynamic = "force-dynamic";

const serve = mcpEndpoint("mcp", createShopServer, async (call) => call);

/** The shop's tools for assistants (docs/agents.md). */
export { serve as DELETE, serve as GET, serve as POST };
