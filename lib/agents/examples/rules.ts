/**
 * The examples on `/agents`, which tests/api/agents-examples.test.ts runs. The message
 * `agents.about.example_<name>` describes each.
 */
export type Example = {
  name: "search" | "plan" | "cart" | "profile";
  path: string;
  /** none: a GET */
  body?: object;
};

const rpc = (name: string, args: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});

/** `planId`: a pass on sale. */
export const examples = (planId: number): readonly Example[] => [
  { name: "profile", path: "/.well-known/ucp" },
  {
    name: "search",
    path: "/ucp/v1/catalog/search",
    body: { query: "edit a podcast", context: { language: "en" } },
  },
  { name: "plan", path: "/mcp", body: rpc("plan_passes", { need: "edit a podcast", days: 2 }) },
  {
    name: "cart",
    path: "/mcp",
    body: rpc("create_cart", { cart: { line_items: [{ item: { id: String(planId) }, quantity: 1 }] } }),
  },
];

/** An example for a shell. */
export function exampleCommand(origin: string, { path, body }: Example): string {
  const data = body ? [`--header "Content-Type: application/json"`, `--data '${JSON.stringify(body)}'`] : [];
  return ["curl --silent --show-error", ...data, `"${origin}${path}"`].join(" \\\n  ");
}

/** The JSON settings for clients that are configured with a list of servers. */
export const clientSettings = (origin: string, name: string): string =>
  JSON.stringify({ mcpServers: { [name]: { type: "http", url: `${origin}/mcp` } } }, null, 2);
