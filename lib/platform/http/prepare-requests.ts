import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import onHeaders from "on-headers";
import { RETRY_AFTER_SECONDS } from "@/lib/platform/database-failure";
import { env } from "@/lib/platform/env";
import { processState } from "@/lib/platform/process-state";
import { enterRequest, type RequestScope } from "@/lib/platform/request-scope";
import { LOCALE_HEADER, parsePath } from "@/lib/platform/routing/paths";
import { reportResponse } from "@/lib/platform/telemetry/requests";
import { splitTarget } from "./request-limits";
import { responseHeaders } from "./response-headers";
import { sanitizeHeaders } from "./sanitize-headers";

type RequestStart = { request: IncomingMessage; response: ServerResponse; server: Server };

/** Next sends this header empty for rewrites that keep the query, and its router then treats /blog?page=2 as /blog. */
const REWRITTEN_QUERY = "x-nextjs-rewritten-query";

/**
 * Prepares each request before Next sees it, on Node's documented channel: removes headers of ours that come from outside, sets
 * the client's address and the request's id, and gives it a scope. A response that has no content policy when it is sent gets
 * one that allows no inline script. `onServer` gets the server of each request.
 */
export function prepareRequests(onServer: (server: Server) => void): void {
  subscribe("http.server.request.start", (message) => {
    const { request, response, server } = message as RequestStart;
    onServer(server);
    request.url = withValidEncoding(request.url ?? "/");
    const { headers, url } = request;
    const { pathname } = splitTarget(url);
    const { TRUSTED_PROXIES: trustedProxies } = env();
    const id = sanitizeHeaders(headers, { remoteAddress: request.socket.remoteAddress, trustedProxies });
    headers[LOCALE_HEADER] = parsePath(pathname).locale;
    // The response to a write is a few bytes. Next would compress it, which costs more than it saves.
    if (pathname.startsWith("/api/") && request.method !== "GET") delete headers["accept-encoding"];
    const scope: RequestScope = {
      id,
      url,
      language: headers["accept-language"],
      tags: new Set(),
      onNotFound() {
        if (!response.headersSent) response.statusCode = 404;
      },
      onClose: (call) => response.once("close", call),
    };
    enterRequest(scope);
    reportResponse(request, response, pathname);
    onHeaders(response, () => completeHeaders(response, pathname, scope));
  });
}

/** Next answers 500 to invalid percent encoding. With each such percent sign encoded, the address names no page. */
function withValidEncoding(url: string): string {
  if (!url.includes("%")) return url;
  try {
    decodeURIComponent(url);
    return url;
  } catch {
    return url.replaceAll("%", "%25");
  }
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
  // The attribution of a landing address, beside a page that is the same for all.
  if (response.hasHeader("Set-Cookie")) response.setHeader("Cache-Control", "private, no-store");
  if (response.getHeader(REWRITTEN_QUERY) === "") response.removeHeader(REWRITTEN_QUERY);
  response.setHeader("X-Request-Id", scope.id ?? "");
  if (processState.draining) response.setHeader("Connection", "close");
}
