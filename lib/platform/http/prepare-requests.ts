import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import onHeaders from "on-headers";
import { methodNotAllowed } from "@/lib/platform/api/method-not-allowed";
import { RETRY_AFTER_SECONDS } from "@/lib/platform/database-failure";
import { env } from "@/lib/platform/env";
import { processState } from "@/lib/platform/process-state";
import { enterRequest, type RequestScope } from "@/lib/platform/request-scope";
import { CAPTURED_NAMES } from "@/lib/platform/routing/attribution-cookie";
import { PAGE_QUERIES } from "@/lib/platform/routing/page-queries";
import { LOCALE_HEADER, parsePath } from "@/lib/platform/routing/paths";
import { isPagePath } from "@/lib/platform/routing/routes";
import { reportResponse } from "@/lib/platform/telemetry/requests";
import { normalizeIp } from "./ip";
import { type PlainResponse, renderRefusal } from "./refusal";
import { findRefusal, splitTarget } from "./request-limits";
import { responseHeaders } from "./response-headers";
import { sanitizeHeaders } from "./sanitize-headers";
import { isRenderedPerRequest } from "./security-headers";

type RequestStart = { request: IncomingMessage; response: ServerResponse; server: Server };

const CHANNEL = "http.server.request.start";
/** As in deploy/nginx/requests.conf. */
const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i;
/** The route handler that sends the refusal of a request (app/refused/route.ts). */
const REFUSED = "/refused";
/** Next sends this header empty for rewrites that keep the query, and its router then treats /blog?page=2 as /blog. */
const REWRITTEN_QUERY = "x-nextjs-rewritten-query";

/**
 * Prepares each request before Next sees it, on Node's documented channel: removes headers of ours that come from outside, sets
 * the client's address and the request's id, and gives it a scope. A response that has no content policy when it is sent gets
 * one that allows no inline script. `onServer` gets the server of each request. Returns what
 * ends it.
 */
export function prepareRequests(onServer: (server: Server) => void): () => void {
  const prepare = (message: unknown) => {
    const { request, response, server } = message as RequestStart;
    onServer(server);
    const { headers, url = "/" } = request;
    const { pathname } = splitTarget(url);
    const { TRUSTED_PROXIES: trustedProxies } = env();
    const id = sanitizeHeaders(headers, { remoteAddress: request.socket.remoteAddress, trustedProxies });
    headers[LOCALE_HEADER] = parsePath(pathname).locale;
    // The response to a write is a few bytes. Next would compress it, which costs more than it saves.
    if (pathname.startsWith("/api/") && request.method !== "GET") delete headers["accept-encoding"];
    const refusal = refusalOf(request);
    const scope: RequestScope = {
      id,
      refusal,
      url,
      rendered: withoutOtherQuery(url),
      ip: normalizeIp(String(headers["x-forwarded-for"])),
      language: headers["accept-language"],
      takesGzip: !headers.rsc && GZIP.test(String(headers["accept-encoding"] ?? "")),
      tags: new Set(),
      onNotFound() {
        if (!response.headersSent) response.statusCode = 404;
      },
      onClose: (call) => response.once("close", call),
    };
    enterRequest(scope);
    reportResponse(request, response, pathname);
    onHeaders(response, () => completeHeaders(response, pathname, scope));
    request.url = scope.rendered;
    if (!refusal) return;
    request.method = "GET";
    request.url = REFUSED;
  };
  subscribe(CHANNEL, prepare);
  return () => void unsubscribe(CHANNEL, prepare);
}

const QUERIES = [
  ...Object.keys(PAGE_QUERIES),
  ...CAPTURED_NAMES.flatMap((name) => [name, `utm_${name}`]),
  "_rsc",
];

/**
 * Next writes the query of one reader into a page that all readers get, so parameters that do not change the page are
 * removed.
 */
function withoutOtherQuery(url: string): string {
  const { pathname, search } = splitTarget(url);
  if (search === "" || !isPagePath(pathname) || isRenderedPerRequest(pathname, search)) return url;
  const pairs = search.slice(1).split("&");
  const kept = pairs.filter((pair) => QUERIES.includes(pair.split("=", 1)[0] ?? ""));
  return kept.length > 0 ? `${pathname}?${kept.join("&")}` : pathname;
}

/** The refusal of a request that exceeds a limit, or whose address does not accept its method. */
function refusalOf(request: IncomingMessage): PlainResponse | undefined {
  const error = findRefusal(request);
  return error ? renderRefusal(request, error) : (methodNotAllowed(request) ?? undefined);
}

function completeHeaders(response: ServerResponse, pathname: string, scope: RequestScope): void {
  if (scope.databaseFailed && response.statusCode === 500) {
    response.statusCode = 503;
    response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
  }
  for (const [name, value] of Object.entries(responseHeaders(pathname))) {
    if (name === "Vary") response.setHeader(name, [response.getHeader(name) ?? [], value].flat().join(", "));
    else if (!response.hasHeader(name)) response.setHeader(name, value);
  }
  // The attribution of a landing address, on a page that is the same for all.
  if (response.hasHeader("Set-Cookie")) response.setHeader("Cache-Control", "private, no-store");
  if (response.getHeader(REWRITTEN_QUERY) === "") response.removeHeader(REWRITTEN_QUERY);
  response.setHeader("X-Request-Id", scope.id ?? "");
  if (processState.draining) response.setHeader("Connection", "close");
}
