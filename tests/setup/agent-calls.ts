import { POST as mcp } from "@/app/mcp/route";
import { clientAddress } from "./client-address";

// biome-ignore lint/suspicious/noExplicitAny: tests read fields of any answer
type Answer = any;
type Headers_ = Record<string, string>;
type RestHandler = (request: Request, context?: { params: Promise<never> }) => Promise<Response>;
type RestOptions = {
  body?: unknown;
  method?: string;
  headers?: Headers_;
  params?: object;
  ip?: string;
  path?: string;
};

const headersOf = (ip: string, more: Headers_ = {}) => ({
  host: "localhost:3000",
  "x-forwarded-for": ip,
  ...more,
});

/** Calls a route of the REST endpoints as the server does. Each call comes from another address by default. */
export async function callRest(handler: RestHandler, options: RestOptions = {}) {
  const { body, method = body === undefined ? "GET" : "POST", ip = clientAddress(), params = {} } = options;
  const request = new Request(`http://localhost:3000${options.path ?? "/ucp/v1"}`, {
    method,
    headers: headersOf(ip, {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...options.headers,
    }),
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const response = await handler(request, { params: Promise.resolve(params as never) });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text ? JSON.parse(text) : null) as Answer,
  };
}

type RpcOptions = { headers?: Headers_; ip?: string; handler?: (request: Request) => Promise<Response> };

/** Sends a message to `/mcp`, or another route of MCP. */
export async function callRpc(method: string, params: object = {}, options: RpcOptions = {}) {
  const { handler = mcp, ip = clientAddress() } = options;
  const response = await handler(
    new Request("http://localhost:3000/mcp", {
      method: "POST",
      headers: headersOf(ip, {
        "content-type": "application/json",
        accept: "application/json",
        ...options.headers,
      }),
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    }),
  );
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: (text ? JSON.parse(text) : null) as Answer,
  };
}

/** The structured answer of a tool, and its text. */
export async function callTool(name: string, args: object, options: RpcOptions = {}) {
  const { body } = await callRpc("tools/call", { name, arguments: args }, options);
  if (body.error) throw new Error(`${name}: ${JSON.stringify(body.error)}`);
  const { isError = false, structuredContent, content } = body.result;
  return { isError, data: structuredContent, text: content?.[0]?.text as string };
}
