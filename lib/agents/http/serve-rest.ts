import { z } from "zod";
import { type Agent, readAgentHeader, UCP_VERSION } from "@/lib/agents/rules";
import { requestLocale } from "@/lib/platform/api/guard";
import { mediaType, readBody } from "@/lib/platform/api/input";
import { errorResponse } from "@/lib/platform/api/response";
import { errorMessage } from "@/lib/platform/error-messages";
import { DEFAULT_LOCALE, type Locale } from "@/lib/platform/i18n/locales";
import { log } from "@/lib/platform/log";
import { countCall, ProtocolError, rejectForeignRequest, rejectUnsupportedVersion } from "./check-request";
import { homeUrl } from "./home-url";

type Params = Record<string, string>;
type Call<S> = { input: S; agent: Agent; locale: Locale; params: Params };
type Declaration<S extends z.ZodType | undefined> = {
  /** the operation's name in the protocol */
  name: string;
  /** the schema of the body; without one, no body is read */
  input?: S;
  cost: number;
  status?: number;
};

/**
 * A route of the REST endpoints (docs/agents.md): checks host, origin, limits and version, parses the body,
 * and responds with the protocol's JSON. Transport errors have a `code` and `content`.
 */
export function restEndpoint<S extends z.ZodType | undefined = undefined>(
  { name, input: schema, cost, status = 200 }: Declaration<S>,
  run: (call: Call<S extends z.ZodType ? z.output<S> : undefined>) => Promise<object>,
) {
  return async (request: Request, context?: { params: Promise<Params> }): Promise<Response> => {
    const { headers } = request;
    const agent = readAgentHeader(headers.get("ucp-agent"), headers.get("user-agent"));
    const begun = performance.now();
    let locale = responseLocale(headers, undefined);
    const answer = await serve().catch((error: unknown) => toErrorResponse(error, locale));
    const ms = Math.round(performance.now() - begun);
    log.info({ protocol: "rest", call: name, agent: agent.name, status: answer.status, ms }, "agent call");
    return answer;

    async function serve(): Promise<Response> {
      rejectForeignRequest(request);
      await countCall(headers, agent, cost);
      rejectUnsupportedVersion(agent);
      let input: unknown;
      if (schema) {
        if (mediaType(request) !== "application/json")
          throw new ProtocolError(415, "unsupported_media_type", "Send application/json.");
        const parsed = schema.safeParse(await readBody(request, locale));
        if (!parsed.success) throw new ProtocolError(400, "invalid_input", z.prettifyError(parsed.error));
        input = parsed.data;
        locale = responseLocale(headers, languageOf(input));
      }
      const params = (await context?.params) ?? {};
      const result = await run({ input, agent, locale, params } as never);
      return jsonResponse(result, "messages" in result && !("id" in result) ? 200 : status);
    }
  };
}

const languageOf = (input: unknown) =>
  (input as { context?: { language?: string } } | undefined)?.context?.language;

/** The language of a response: from the context, else from `Accept-Language`. Reads no cookies. */
export function responseLocale(headers: Headers, language: string | undefined): Locale {
  const accepted = language ?? headers.get("accept-language") ?? "";
  return requestLocale(new Headers({ "accept-language": accepted }), undefined).requested ?? DEFAULT_LOCALE;
}

export const jsonResponse = (body: object, status: number, more: Record<string, string> = {}): Response =>
  Response.json(body, {
    status,
    headers: { "cache-control": "no-store", "x-content-type-options": "nosniff", ...more },
  });

/**
 * The response to a thrown error. A shop error keeps its status and message; other errors reveal nothing of
 * their cause.
 */
export function toErrorResponse(thrown: unknown, locale: Locale): Response {
  if (thrown instanceof ProtocolError) {
    const more = thrown.code === "version_unsupported" ? { supported_versions: [UCP_VERSION] } : {};
    const body = { code: thrown.code, content: thrown.message, ...more, continue_url: homeUrl(locale) };
    return jsonResponse(body, thrown.status);
  }
  const { response, error } = errorResponse(thrown, locale);
  if (response.status >= 500 && error.error === "system_error")
    log.error({ err: thrown }, "agent call failed");
  const retry = response.headers.get("retry-after");
  return jsonResponse(
    { code: error.error, content: errorMessage(error.error, locale, error.params) },
    response.status,
    retry ? { "retry-after": retry } : {},
  );
}
