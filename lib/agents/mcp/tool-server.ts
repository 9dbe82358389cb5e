import { McpServer } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { responseLocale } from "@/lib/agents/http/serve-rest";
import { type Agent, toAgent } from "@/lib/agents/rules";
import { errorResponse } from "@/lib/platform/api/response";
import { env } from "@/lib/platform/env";
import { errorMessage } from "@/lib/platform/error-messages";
import type { Locale } from "@/lib/platform/i18n/locales";
import { log } from "@/lib/platform/log";

/** The caller of a tool, and the language of the result. */
export type ToolCall = { agent: Agent; locale: Locale };

type Problem = { problem: string };

type Tool<I extends z.ZodObject, O extends z.ZodObject> = {
  title: string;
  description: string;
  input: I;
  output: O;
  /** the result as text, for clients that do not read structured content */
  text: (data: z.input<O>, locale: Locale) => string;
  /** set for tools that write; by default a tool is read-only */
  writes?: true;
};

const DAY_MS = 86_400_000;
/** How long a client may cache the list of tools. */
const LIST_TTL_MS = 5 * 60_000;

/** The server's version: of its tools, not of the shop. */
const SERVER_VERSION = "1.0.0";

export const createToolServer = (name: string, title: string, instructions: string): McpServer => {
  const { APP_URL, APP_NAME } = env();
  return new McpServer(
    {
      name,
      title: title.replace("%shop", APP_NAME),
      version: SERVER_VERSION,
      websiteUrl: `${APP_URL}/agents`,
    },
    {
      capabilities: { tools: { listChanged: false } },
      instructions,
      cacheHints: {
        "tools/list": { ttlMs: LIST_TTL_MS, cacheScope: "public" },
        "server/discover": { ttlMs: DAY_MS / 24, cacheScope: "public" },
      },
    },
  );
};

/**
 * Adds a tool whose result is both structured and text. A thrown error becomes its message in the caller's
 * language, and nothing more.
 */
export function addTool<I extends z.ZodObject, O extends z.ZodObject>(
  server: McpServer,
  name: string,
  { title, description, input, output, text, writes = false as never }: Tool<I, O>,
  { headers, agent }: { headers: Headers; agent: Agent },
  run: (args: z.output<I>, call: ToolCall) => Promise<z.input<O> | Problem>,
): void {
  const annotations = {
    title,
    readOnlyHint: !writes,
    destructiveHint: false,
    idempotentHint: !writes,
    openWorldHint: false,
  };
  server.registerTool(
    name,
    { title, description, inputSchema: input, outputSchema: output, annotations },
    (async (args: z.output<I>) => {
      const call = { agent: agentOf(args) ?? agent, locale: responseLocale(headers, languageOf(args)) };
      const answer = await run(args, call).catch((error: unknown): Problem => {
        const { response, error: known } = errorResponse(error, call.locale);
        if (response.status >= 500) log.error({ err: error, tool: name }, "tool failed");
        return { problem: errorMessage(known.error, call.locale, known.params) };
      });
      if ("problem" in answer) return { isError: true, content: [{ type: "text", text: answer.problem }] };
      const content = [{ type: "text", text: text(answer as z.input<O>, call.locale) }];
      return { content, structuredContent: answer };
    }) as never,
  );
}

type Args = Record<string, unknown>;

/** The agent named in the tool's `meta` (Universal Commerce Protocol). */
function agentOf(args: Args): Agent | null {
  const profile = (args.meta as { "ucp-agent"?: { profile?: unknown } } | undefined)?.["ucp-agent"]?.profile;
  return typeof profile === "string" ? toAgent({ profile }) : null;
}

function languageOf(args: Args): string | undefined {
  const payload = (args.catalog ?? args.cart ?? args) as {
    context?: { language?: unknown };
    language?: unknown;
  };
  const language = payload.context?.language ?? payload.language;
  return typeof language === "string" ? language : undefined;
}
