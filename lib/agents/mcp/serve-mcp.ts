import { AsyncLocalStorage } from "node:async_hooks";
import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import {
  CALL_COSTS,
  countCall,
  rejectForeignRequest,
  rejectUnsupportedVersion,
} from "@/lib/agents/http/check-request";
import { jsonResponse, responseLocale, toErrorResponse } from "@/lib/agents/http/serve-rest";
import { type Agent, readAgentHeader, toAgent } from "@/lib/agents/rules";
import { BODY_LIMIT, readBytes } from "@/lib/platform/api/input";
import { log } from "@/lib/platform/log";

export type AgentCall = { headers: Headers; agent: Agent };

type RpcMessage = {
  id?: unknown;
  method?: unknown;
  params?: { name?: unknown; arguments?: { meta?: unknown }; _meta?: Record<string, unknown> };
};

const COSTS: Partial<Record<string, number>> = {
  search_catalog: CALL_COSTS.search,
  plan_passes: CALL_COSTS.plan,
};

/**
 * The maximum number of open streams for change notifications, of which there are few: the lists of tools
 * never change.
 */
const MAX_SUBSCRIPTIONS = 8;
const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";

/**
 * A route of MCP (docs/agents.md): checks host, origin, size, limits and version, then lets the SDK serve one
 * request of the current or an earlier protocol version, without sessions. A client that accepts only JSON
 * gets JSON. `create` returns the server for a call.
 */
export function mcpEndpoint<C extends AgentCall>(
  name: string,
  create: (call: C) => McpServer,
  identify: (call: AgentCall, message: RpcMessage | null) => Promise<C>,
) {
  const calls = new AsyncLocalStorage<C>();
  const handler = createMcpHandler(() => create(calls.getStore()!), {
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    maxRequestBodySize: BODY_LIMIT,
    onerror: () => {},
  });

  return async (request: Request): Promise<Response> => {
    const begun = performance.now();
    const { headers } = request;
    let agent = readAgentHeader(headers.get("ucp-agent"), headers.get("user-agent"));
    let message: RpcMessage | null = null;
    const answer = await serve().catch((error: unknown) => rpcError(error));
    const call = callName(message);
    const ms = Math.round(performance.now() - begun);
    log.info({ protocol: name, call, agent: agent.name, status: answer.status, ms }, "agent call");
    return answer;

    async function serve(): Promise<Response> {
      rejectForeignRequest(request);
      if (request.method !== "POST") {
        await countCall(headers, agent, CALL_COSTS.read);
        return handler.fetch(
          new Request(request.url, { method: request.method, headers: withoutCookie(headers) }),
        );
      }
      const bytes = await readBytes(request, BODY_LIMIT);
      message = parseMessage(bytes);
      agent = namedAgent(message) ?? agent;
      await countCall(headers, agent, COSTS[String(message?.params?.name)] ?? CALL_COSTS.read);
      rejectUnsupportedVersion(agent);
      const call = await identify({ headers, agent }, message);
      const accept = headers.get("accept") ?? "";
      const takesStream = accept.includes("text/event-stream");
      const sent = withoutCookie(headers);
      // Earlier protocols refuse clients that do not name both.
      sent.set("accept", "application/json, text/event-stream");
      sent.set("content-type", "application/json");
      sent.delete("content-length");
      const forwarded = new Request(request.url, {
        method: "POST",
        headers: sent,
        body: new Uint8Array(bytes),
      });
      const response = await calls.run(call, () => handler.fetch(forwarded));
      return takesStream ? response : toJson(response);
    }

    /** A refusal of the endpoint as an error of JSON-RPC, with the status of the REST endpoints. */
    async function rpcError(error: unknown): Promise<Response> {
      const locale = responseLocale(headers, undefined);
      const plain = toErrorResponse(error, locale);
      const data = (await plain.json()) as { code: string; content: string };
      const retry = plain.headers.get("retry-after");
      const rpcCode = RPC_CODES[data.code] ?? (plain.status >= 500 ? -32603 : -32000);
      const body = {
        jsonrpc: "2.0",
        id: typeof message?.id === "string" || typeof message?.id === "number" ? message.id : null,
        error: {
          code: rpcCode,
          message: data.content,
          data: { ...data, ...(retry && { retry_after: Number(retry) }) },
        },
      };
      return jsonResponse(body, plain.status, {
        ...(retry && { "retry-after": retry }),
        ...(plain.status === 401 && { "www-authenticate": 'Bearer realm="merchant"' }),
      });
    }
  };
}

const RPC_CODES: Partial<Record<string, number>> = {
  version_unsupported: -32001,
  invalid_input: -32700,
  body_too_large: -32600,
};

const toolName = (name: string) => (/^[a-z_]{1,40}$/.test(name) ? name : "other");
/** The tool or method of a message, for the log. */
function callName(message: RpcMessage | null): string {
  if (typeof message?.params?.name === "string") return toolName(message.params.name);
  return typeof message?.method === "string" && /^[a-z/_]{1,40}$/i.test(message.method)
    ? message.method
    : "other";
}

/** The message in a body; null for anything but one object, which the SDK then rejects. */
function parseMessage(bytes: Buffer): RpcMessage | null {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as RpcMessage)
      : null;
  } catch {
    return null;
  }
}

/** The agent of a message: from the profile in its arguments, else from its client's name. */
function namedAgent(message: RpcMessage | null): Agent | null {
  const { params } = message ?? {};
  const meta = params?.arguments?.meta as
    | { "ucp-agent"?: { profile?: unknown; version?: unknown } }
    | undefined;
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  const ucp = meta?.["ucp-agent"];
  const client = params?._meta?.[CLIENT_INFO] as { name?: unknown } | undefined;
  const initialize = (params as { clientInfo?: { name?: unknown } } | undefined)?.clientInfo;
  const named = {
    profile: text(ucp?.profile),
    version: text(ucp?.version),
    client: text(client?.name) ?? text(initialize?.name),
  };
  return named.profile || named.version || named.client ? toAgent(named) : null;
}

function withoutCookie(headers: Headers): Headers {
  const kept = new Headers(headers);
  kept.delete("cookie");
  return kept;
}

/** The message of an event stream as plain JSON, for clients that accept nothing else. */
async function toJson(response: Response): Promise<Response> {
  if (!response.headers.get("content-type")?.includes("text/event-stream")) return response;
  const events = await response.text();
  const messages = events
    .split(/\r?\n\r?\n/)
    .flatMap((event) => {
      const data = event.split(/\r?\n/).filter((line) => line.startsWith("data:"));
      return data.length > 0 ? [data.map((line) => line.slice(5).trimStart()).join("\n")] : [];
    })
    .filter((data) => data.includes('"jsonrpc"'));
  const last = messages.at(-1);
  return last === undefined ? response : jsonResponse(JSON.parse(last), response.status);
}
