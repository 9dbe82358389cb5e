import { createMerchantServer, identifyMerchant } from "@/lib/agents/mcp/create-merchant-server";
import { mcpEndpoint } from "@/lib/agents/mcp/serve-mcp";

export const dynamic = "force-dynamic";

const serve = mcpEndpoint("mcp/merchant", createMerchantServer, identifyMerchant);

/** A merchant's tools for its assistants, by token (docs/agents.md). */
export { serve as DELETE, serve as GET, serve as POST };
