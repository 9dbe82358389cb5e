import { UCP_VERSION } from "@/lib/agents/rules";
import { env } from "@/lib/platform/env";

const spec = (path: string) => `https://ucp.dev/${UCP_VERSION}/${path}`;

/**
 * The profile of `/.well-known/ucp` (docs/agents.md): the endpoints and their capabilities, without checkout,
 * because only people buy.
 */
export function businessProfile() {
  const { origin } = new URL(env().APP_URL);
  const service = (transport: "rest" | "mcp", schema: string, path: string) => ({
    version: UCP_VERSION,
    spec: spec("specification/overview"),
    transport,
    schema: spec(`services/shopping/${schema}`),
    endpoint: `${origin}${path}`,
  });
  const capability = (page: string, schema: string, more: object = {}) => [
    {
      version: UCP_VERSION,
      spec: spec(`specification/${page}`),
      schema: spec(`schemas/shopping/${schema}`),
      ...more,
    },
  ];
  return {
    ucp: {
      version: UCP_VERSION,
      services: {
        "dev.ucp.shopping": [
          service("rest", "rest.openapi.json", "/ucp/v1"),
          service("mcp", "mcp.openrpc.json", "/mcp"),
        ],
      },
      capabilities: {
        "dev.ucp.shopping.catalog.search": capability("shopping/catalog/search", "catalog_search.json"),
        "dev.ucp.shopping.catalog.lookup": capability("shopping/catalog/lookup", "catalog_lookup.json"),
        "dev.ucp.shopping.cart": capability("shopping/cart", "cart.json"),
        "dev.ucp.shopping.permalink": capability("permalink", "permalink.json", {
          config: { endpoint: `${origin}/ucp/v1/p` },
        }),
      },
      payment_handlers: {},
    },
  };
}
