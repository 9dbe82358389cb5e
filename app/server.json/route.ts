import { env } from "@/lib/platform/env";

export const dynamic = "force-dynamic";

/** What the registry of MCP servers takes (docs/agents.md): the shop's server under the reversed name of its host. */
export function GET(): Response {
  const { APP_URL, APP_NAME } = env();
  const { origin, hostname } = new URL(APP_URL);
  return Response.json(
    {
      $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      name: `${hostname.split(".").reverse().join(".")}/shop`,
      title: APP_NAME,
      description: "Finds, compares and plans short passes to AI and software apps; a person buys.",
      version: "1.0.0",
      websiteUrl: `${origin}/agents`,
      remotes: [{ type: "streamable-http", url: `${origin}/mcp` }],
    },
    { headers: { "cache-control": "public, max-age=300" } },
  );
}
